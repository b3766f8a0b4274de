/** The model's stream brought nothing for too long. */
export class IdleStreamError extends Error {
  override readonly name = 'IdleStreamError';
}

/**
 * `fetch` whose response bodies fail when they bring nothing for `ms`. The SDK's own time-out ends
 * with the headers; a connection that died without a word would be waited for until the activity
 * times out. Pings count: the SDK does not show them.
 */
export function fetchWithIdleTimeout(ms: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(idleGuard(ms)), { status, statusText, headers });
  };
}

function idleGuard(ms: number): TransformStream<Uint8Array, Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  return new TransformStream({
    start(controller) {
      timer = setTimeout(() => {
        controller.error(new IdleStreamError(`The stream brought nothing for ${ms / 1000} s.`));
      }, ms).unref();
    },
    transform(chunk, controller) {
      timer?.refresh();
      controller.enqueue(chunk);
    },
    flush() {
      clearTimeout(timer);
    },
  });
}

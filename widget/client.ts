import { Failure } from './failure.ts';
import type { Options } from './options.ts';

export interface Source {
  url: string;
  title: string;
}
export interface Hit {
  path: string;
  url: string;
  content: string;
  metadata: { title: string };
}
/** The events of an answer that are shown. */
export type AnswerEvent =
  | { type: 'start'; messageId: string; messageMetadata: { threadId: string } }
  | { type: 'tool-output-available'; output: { results: Hit[] } }
  | { type: 'text-start' }
  | { type: 'text-delta'; delta: string }
  | ({ type: 'source-url' } & Source)
  | { type: 'error'; errorText: string }
  | { type: 'finish' }
  | { type: 'other' };
export interface Question {
  text: string;
  threadId: string | undefined;
  selection: string | undefined;
}
export interface Vote {
  threadId: string;
  messageId: string;
  helpful: boolean | null;
}

const MAX_PATH = 200;
const MAX_SELECTION = 20_000;

/** Asks, and hands the events over as they arrive. Throws `Failure`; an abort passes through. */
export async function ask(
  options: Options,
  question: Question,
  signal: AbortSignal,
  onEvent: (event: AnswerEvent) => void,
): Promise<void> {
  const path = cut(readablePath(), MAX_PATH);
  const value = question.selection && cut(question.selection, MAX_SELECTION);
  const body = {
    fp: options.fp,
    threadId: question.threadId ?? null,
    messages: [{ role: 'user', parts: [{ type: 'text', text: question.text }] }],
    currentPath: path,
    ...(value && { context: [{ type: 'textSelection', value, path }] }),
    filter: options.filter,
  };
  const response = await send(options, options.addresses.message, { body, signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let isWhole = false;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const frames = (rest + part.value).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      if (!frame.startsWith('data: {')) continue;
      const event = JSON.parse(frame.slice(6)) as AnswerEvent;
      isWhole ||= event.type === 'finish';
      onEvent(event);
    }
  }
  // A proxy that gives up closes the answer as if it had ended.
  if (!isWhole) throw new Failure('interrupted', 0, 'The answer was cut off.');
}

/** As the site writes it; a `%` alone is not an escape. */
function readablePath(): string {
  try {
    return decodeURI(location.pathname);
  } catch {
    return location.pathname;
  }
}

/** Without an unpaired surrogate at the end. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** Pages for some words, the best first. */
export async function search(options: Options, query: string, signal: AbortSignal): Promise<Hit[]> {
  const address = options.addresses.search;
  if (!address) return [];
  const body = { query, pageSize: 5, filter: options.filter };
  return (await send(options, address, { body, signal })).json() as Promise<Hit[]>;
}

/** One vote per answer; null takes it back. */
export async function vote(options: Options, cast: Vote): Promise<void> {
  const address = options.addresses.feedback;
  if (address) await send(options, address, { body: { fp: options.fp, ...cast } });
}

/**
 * Whether the key may be used on this page; throws the reason. A browser hides the refusal of an
 * origin. The same request without a key is answered from any origin, so if that one gets through,
 * the origin is the reason.
 */
export async function check(options: Options): Promise<void> {
  const address = options.addresses.message;
  try {
    const { status } = await send(options, address);
    // A page of the site's own, for example.
    if (status !== 204)
      throw new Failure(
        'no_docent',
        status,
        `${address} is not a Docent address. Check data-server.`,
      );
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 0) throw error;
    const isThere = await fetch(address, { credentials: 'omit' }).then(
      () => true,
      () => false,
    );
    if (!isThere) throw error;
    throw new Failure(
      'origin_not_allowed',
      403,
      `This key may not be used on ${location.origin}. ` +
        `Add ${location.origin} to the key's allowed origins, on the API keys page of the dashboard.`,
    );
  }
}

async function send(
  { key }: Options,
  address: string,
  { body, signal }: { body?: object; signal?: AbortSignal } = {},
): Promise<Response> {
  const response = await fetch(address, {
    method: body ? 'POST' : 'GET',
    credentials: key ? 'omit' : 'same-origin',
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Failure(
      'unreachable',
      0,
      `${new URL(address, location.href).origin} cannot be reached.`,
    );
  });
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as { type?: string; detail?: string };
  throw new Failure(
    problem.type?.split(/[/#:]/).pop() ?? 'refused',
    response.status,
    problem.detail ?? `The server answered ${response.status}.`,
  );
}

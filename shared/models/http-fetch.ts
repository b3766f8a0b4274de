import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';

// Idle connections are closed before servers give up on them, 5 s being the shortest wait in common
// use.
const KEPT = { keepAlive: true, timeout: 4_000 };
const agents = { 'http:': new HttpAgent(KEPT), 'https:': new HttpsAgent(KEPT) };

/**
 * A response whose body is read as Node reads it: a web stream over it, and the SDK's reader of
 * that, cost 9 KB for each word.
 */
export class StreamedResponse extends Response {
  readonly message: IncomingMessage;

  constructor(message: IncomingMessage, init: ResponseInit) {
    super(null, init);
    this.message = message;
  }
}

/**
 * `fetch` for the model's SDK, over Node's HTTP client. The built-in one keeps the prompt until the
 * answer ends: with 1,000 streams open and prompts of 20 KB it took 120 KB for each. Takes what the
 * SDK sends, a text body; a refusal and JSON come whole, anything else as a `StreamedResponse`. It
 * waits for the headers as long as `signal` allows; the built-in one ends after five minutes, while
 * a slow server still reads the prompt. Rejects if the connection fails, or `signal` aborts.
 */
export async function httpFetch(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const message = await send(new URL(input instanceof Request ? input.url : input), init);
  const headers = Object.entries(message.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const status = message.statusCode ?? 0;
  const isJson = message.headers['content-type']?.startsWith('application/json');
  if (status < 200 || status > 299 || isJson)
    return new Response((await text(message)) || null, { status, headers });
  return new StreamedResponse(message, { status, headers });
}

function send(
  url: URL,
  { method = 'GET', headers, body, signal }: RequestInit,
): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)(
      url,
      {
        method,
        agent: agents[secure ? 'https:' : 'http:'],
        headers: Object.fromEntries(new Headers(headers)),
        ...(signal && { signal }),
      },
      resolve,
    );
    request.on('error', reject).end(body);
  });
}

import { Agent, request as httpRequest } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

/**
 * Milliseconds from the request to the first byte of the body and to the first text; whether the
 * stream was read to its proper end.
 */
export interface Timing {
  firstByte: number;
  firstText: number;
  complete: boolean;
}

export interface Target {
  url: string;
  headers: Record<string, string>;
  body: string;
  end: string;
}

/** Reads a stream to its end. */
export const ask = (target: Target) => stream(target, false);
/** Reads a stream to its first text, and leaves. */
export const begin = (target: Target) => stream(target, true);

function stream(target: Target, leave: boolean): Promise<Timing> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let firstByte = 0;
    let firstText = 0;
    let tail = '';
    const request = httpRequest(
      target.url,
      {
        method: 'POST',
        agent,
        headers: { ...target.headers, 'content-length': target.body.length },
      },
      response => {
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            firstByte ||= performance.now() - started;
            if (!firstText && (chunk.includes('"text-delta"') || chunk.includes('"text_delta"')))
              firstText = performance.now() - started;
            tail = (tail + chunk).slice(-target.end.length);
            if (leave && firstText) {
              resolve({ firstByte, firstText, complete: false });
              request.destroy();
            }
          })
          .on('end', () =>
            resolve({
              firstByte,
              firstText,
              complete: response.statusCode === 200 && tail === target.end,
            }),
          )
          .on('error', reject);
      },
    );
    request.on('error', reject).end(target.body);
  });
}

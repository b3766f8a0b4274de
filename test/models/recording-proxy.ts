import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { closeServer, listen, readJson } from '../../offline-model/protocol/http.ts';
import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';

/** Stands before a server and keeps what it is asked. */
export class RecordingProxy {
  readonly requests: MessagesRequest[] = [];
  readonly #target: string;
  #url = '';
  readonly #server = createServer((request, response) => {
    this.#pass(request, response).catch(() => response.destroy());
  });

  private constructor(target: string) {
    this.#target = target;
  }

  static async before(target: string): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(target);
    proxy.#url = await listen(proxy.#server, '127.0.0.1', 0);
    return proxy;
  }

  get url(): string {
    return this.#url;
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await readJson(request)) as MessagesRequest;
    this.requests.push(body);
    const { host: _host, 'content-length': _length, ...headers } = request.headers;
    const answer = await fetch(this.#target + request.url, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: JSON.stringify(body),
    });
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/json',
    });
    for await (const chunk of Readable.fromWeb(answer.body!)) response.write(chunk);
    response.end();
  }
}

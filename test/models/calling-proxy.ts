import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { closeServer, listen, readJson } from '../../offline-model/protocol/http.ts';
import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';

/** A call that a model is made to write: a value as it is, or so many characters of its own. */
export interface ForcedCall {
  name: string;
  input: Record<string, string | number | { maxLength: number }>;
}

interface Schema {
  properties?: Record<string, object>;
}
type Sent = Omit<MessagesRequest, 'tools' | 'tool_choice'> & {
  tools?: { name: string; input_schema?: Schema }[];
  tool_choice?: object;
};

/**
 * Stands before a server and keeps what it is asked. A model that understands nothing calls nothing;
 * here its next answers must be calls: the server gets the one tool, with the schema that Docent
 * sent, narrowed to that call, and makes the grammar of its answer from that.
 */
export class CallingProxy {
  readonly requests: Sent[] = [];
  readonly #target: string;
  #forced: ForcedCall[] = [];
  #url = '';
  readonly #server = createServer((request, response) => {
    this.#pass(request, response).catch(() => response.destroy());
  });

  private constructor(target: string) {
    this.#target = target;
  }

  static async before(target: string): Promise<CallingProxy> {
    const proxy = new CallingProxy(target);
    proxy.#url = await listen(proxy.#server, '127.0.0.1', 0);
    return proxy;
  }

  get url(): string {
    return this.#url;
  }

  force(...calls: ForcedCall[]): void {
    this.#forced = calls;
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await readJson(request)) as Sent;
    this.requests.push(body);
    const call = this.#forced.shift();
    const { host: _host, 'content-length': _length, ...headers } = request.headers;
    const answer = await fetch(this.#target + request.url, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: JSON.stringify(call ? narrowed(body, call) : body),
    });
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/json',
    });
    for await (const chunk of Readable.fromWeb(answer.body!)) response.write(chunk);
    response.end();
  }
}

/** Throws if what the call needs has not arrived. */
function narrowed(body: Sent, { name, input }: ForcedCall): Sent {
  const tool = body.tools?.find(one => one.name === name);
  const properties = Object.entries(input).map(([member, value]) => {
    const schema = tool?.input_schema?.properties?.[member];
    if (!schema) throw new Error(`${name} came without a schema of ${member}`);
    return [member, { ...schema, ...(typeof value === 'object' ? value : { enum: [value] }) }];
  });
  const input_schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(input),
    additionalProperties: false,
  };
  return {
    ...body,
    tools: [{ ...tool, name, input_schema }],
    tool_choice: { type: 'tool', name },
  };
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { closeServer, listen, readJson } from '../../offline-model/protocol/http.ts';
import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';

/**
 * A call that the server's grammar makes the model write. Of its input: a value as it is, or a text
 * of the model's own of so many characters. Without input: what the tool's whole schema allows.
 */
export interface ForcedCall {
  name: string;
  input?: Record<string, string | number | { maxLength: number }>;
}

interface WireTool {
  name: string;
  input_schema?: { properties?: Record<string, object> };
}
type Sent = Omit<MessagesRequest, 'tools'> & { tools?: WireTool[]; tool_choice?: object };

/** A model this small does not know when to end. */
const MOST_TOKENS = 120;

/** Stands before a server, keeps what it is asked, and can make its next answers calls. */
export class CallingProxy {
  readonly requests: Sent[] = [];
  /** Of the latest answer, so far. */
  pieces = 0;
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

  /** The next requests that have tools get these calls as their answers, in turn. */
  force(...calls: ForcedCall[]): void {
    this.#forced = calls;
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await readJson(request)) as Sent;
    this.requests.push(body);
    this.pieces = 0;
    const call = body.tools ? this.#forced.shift() : undefined;
    const sent = { ...body, max_tokens: Math.min(body.max_tokens, MOST_TOKENS) };
    const { host: _host, 'content-length': _length, ...headers } = request.headers;
    const answer = await fetch(this.#target + request.url, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: JSON.stringify(call ? forcing(sent, call) : sent),
    });
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/json',
    });
    for await (const piece of Readable.fromWeb(answer.body!)) {
      response.write(piece);
      this.pieces += 1;
    }
    response.end();
  }
}

/**
 * Only that tool, with the schema that Docent sent, or that schema narrowed to the input. A grammar
 * allows words before the call, so that the answer has to be begun for the model.
 */
function forcing(body: Sent, { name, input }: ForcedCall): Sent {
  const tool = body.tools?.find(one => one.name === name);
  if (!tool?.input_schema) throw new Error(`${name} came without a schema`);
  const tools = [input ? narrowed(tool, input) : tool];
  const content = `<tool_call>\n{"name": "${name}", "arguments": `;
  const messages = [...body.messages, { role: 'assistant' as const, content }];
  return { ...body, messages, tools, tool_choice: { type: 'any' } };
}

function narrowed(tool: WireTool, input: NonNullable<ForcedCall['input']>): WireTool {
  const properties = Object.entries(input).map(([member, value]) => {
    const schema = tool.input_schema?.properties?.[member];
    if (!schema) throw new Error(`${tool.name} came without a schema of ${member}`);
    return [member, { ...schema, ...(typeof value === 'object' ? value : { enum: [value] }) }];
  });
  const input_schema = {
    type: 'object',
    properties: Object.fromEntries(properties) as Record<string, object>,
    required: Object.keys(input),
  };
  return { ...tool, input_schema };
}

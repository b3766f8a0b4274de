import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';

/** The public SDK's client, connected: in the era that it opens with `initialize`, or the newer. */
export async function connectMcp(
  url: string,
  mode: VersionNegotiationMode,
  key?: string,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return client;
}

export const MODERN = '2026-07-28';
const META = 'io.modelcontextprotocol';

/** A request of the newer era as it is written, for what the SDK's client does not send. */
export async function modernRequest(
  url: string,
  key: string | undefined,
  method: string,
  params: Record<string, unknown> = {},
  {
    capabilities = {},
    version = MODERN,
    headers = {},
  }: { capabilities?: object; version?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: McpAnswer }> {
  const name = params['name'] ?? params['taskId'];
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...{ 'mcp-protocol-version': version, 'mcp-method': method },
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method },
      params: {
        ...params,
        _meta: {
          [`${META}/protocolVersion`]: version,
          [`${META}/clientInfo`]: { name: 'test', version: '1' },
          [`${META}/clientCapabilities`]: capabilities,
        },
      },
    }),
  });
  const text = await response.text();
  return { status: response.status, body: (text ? JSON.parse(text) : {}) as McpAnswer };
}

export interface McpAnswer {
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
  detail?: string;
}

import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export interface StaticSite {
  url: string;
  /** By path from the top, `/guide/index.html`; may be changed while it is served. */
  files: Map<string, string | Buffer>;
  /** Instead of files, by path. */
  answers: Map<string, (response: ServerResponse) => void>;
  requests: { path: string; at: number; status: number; headers: IncomingHttpHeaders }[];
  close(): void;
}

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  xml: 'application/xml',
  txt: 'text/plain',
  gz: 'application/gzip',
};

/** Serves a built site as plain hosts do: exact files, a folder's index, and 304. */
export async function serveSite(files: Record<string, string | Buffer>): Promise<StaticSite> {
  const site: StaticSite = {
    url: '',
    files: new Map(Object.entries(files)),
    answers: new Map(),
    requests: [],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    response.on('close', () =>
      site.requests.push({
        ...{ path, at: performance.now(), status: response.statusCode },
        headers: request.headers,
      }),
    );
    const answer = site.answers.get(path);
    if (answer) return answer(response);
    const name = path.endsWith('/') ? `${path}index.html` : path;
    const body = site.files.get(name);
    if (body === undefined && site.files.has(`${path}/index.html`))
      return void response.writeHead(301, { location: `${path}/` }).end();
    if (body === undefined) return void response.writeHead(404).end('Not found');
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, etag }).end(body);
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', () => listening()));
  site.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return site;
}

export function html(title: string, main: string, links: readonly string[] = []): string {
  const nav = links.map(link => `<a href="${link}">${link}</a>`).join('');
  return (
    `<!doctype html><html><head><title>${title} | Acme</title></head>` +
    `<body><nav>${nav}</nav><main><h1>${title}</h1>${main}</main></body></html>`
  );
}

export function sitemap(origin: string, paths: readonly string[]): string {
  const entries = paths.map(path => `<url><loc>${origin}${path}</loc></url>`).join('\n');
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;
}

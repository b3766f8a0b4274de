import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { withoutKey } from '../plugins/auth.ts';
import { pageHeaders } from '../server-page.ts';

/** Where `npm run build:dashboard` puts the browser app. */
const DIST = join(import.meta.dirname, '..', '..', 'dashboard', 'dist');

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Docent: the dashboard is not built</title></head>
<body><h1>The dashboard is not built</h1>
<p>Run <code>npm run build:dashboard</code>, then reload this page.</p></body></html>
`;

/**
 * The widget is for pages of other sites, also isolated ones (`Cross-Origin-Embedder-Policy`) and
 * those that check its hash. Its name stays, so that browsers ask again; the answer is mostly 304.
 */
const WIDGET_HEADERS = {
  'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/** The browser app: its files, and its pages for every address of its own. `dist` is for tests. */
export async function appFiles(
  app: FastifyInstance,
  { dist = DIST, formsTo }: { dist?: string; formsTo: string },
): Promise<void> {
  const sent = pageHeaders(formsTo); // the manifest of a GitHub App is posted there
  withoutKey(app);
  app.addHook('onRoute', route => {
    route.schema = { ...route.schema, hide: true };
  });
  // `preCompressed`: the build puts `.br` and `.gz` files beside the others.
  await app.register(fastifyStatic, {
    root: dist,
    serve: false,
    cacheControl: false,
    dotfiles: 'ignore',
    preCompressed: true,
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ ...sent, vary: 'Accept-Encoding' }); // caches keep both
  });

  app.get('/', (_request, reply) => reply.redirect('/dashboard'));
  app.get('/dashboard', (_request, reply) => sendPage(reply, dist));
  app.get('/widget.js', (_request, reply) => reply.headers(WIDGET_HEADERS).sendFile('widget.js'));
  app.get<{ Params: { '*': string } }>('/dashboard/*', (request, reply) => {
    const path = request.params['*'];
    // Names of built files carry a hash of their content.
    if (path.startsWith('assets/'))
      return reply.sendFile(path, { cacheControl: true, maxAge: '1y', immutable: true });
    // Files beside the page; the app's own addresses have no dot in their first part.
    if (/^[\w-]+(\.[\w-]+)+$/.test(path))
      return reply.header('cache-control', 'no-cache').sendFile(path);
    return sendPage(reply, dist);
  });
}

function sendPage(reply: FastifyReply, dist: string): FastifyReply {
  reply.header('cache-control', 'no-cache');
  if (existsSync(join(dist, 'index.html'))) return reply.sendFile('index.html');
  return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT);
}

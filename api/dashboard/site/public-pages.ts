import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html } from '../../html.ts';
import { Problem } from '../../../shared/errors.ts';
import { withoutKey } from '../../plugins/auth.ts';
import { pageHeaders, serverPage } from '../../server-page.ts';
import {
  NO_VERSION,
  type PublicPageData,
  type SitePageView,
  type SiteView,
} from '../contract/site.ts';
import { pageHtml, type Places } from './page-html.ts';
import { frameOf, type PublicDeps, type ReadSite, readPublic } from './site-routes.ts';

/** Entries of the navigation that come as HTML; the app has all of them. */
const MOST_ENTRIES = 300;
const NO_PAGE = 'There is no such page in these docs.';

type Deps = PublicDeps & { publicUrl: string };

/** Docs that everybody may read, as HTML: Docent's own at `/docs`, public ones at `/sites/<domain>`. */
export async function publicPages(app: FastifyInstance, deps: Deps): Promise<void> {
  withoutKey(app);
  app.addHook('onRoute', route => {
    route.schema = { ...route.schema, hide: true };
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ ...pageHeaders(), 'cache-control': 'no-cache' });
  });
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof Problem)) throw error;
    request.log.info({ err: error.cause ?? error }, error.message);
    // A repository that cannot be read now: browsers and crawlers are to come again.
    const isAway = error.code === 'conflict';
    return reply
      .code(isAway ? 503 : error.status)
      .headers({ ...(isAway && { 'retry-after': '60' }), ...error.headers })
      .type('text/html; charset=utf-8')
      .send(
        serverPage(
          problemPage(
            error.code === 'not_found' ? 'Page not found' : 'Try again later',
            error.message,
          ),
        ),
      );
  });
  for (const base of ['/docs', '/sites/:domain']) {
    app.get<Asked>(`${base}/sitemap.xml`, (request, reply) => sendSitemap(deps, request, reply));
    for (const path of [base, `${base}/*`])
      app.get<Asked>(path, (request, reply) => sendPage(deps, request, reply));
  }
}

interface Asked {
  Params: { domain?: string; '*'?: string };
}
type AskedRequest = FastifyRequest<Asked>;

function siteOf({ params: { domain = '-' } }: AskedRequest) {
  const base = domain === '-' ? '/docs' : `/sites/${domain}`;
  const places: Places = {
    page: (path, hash) =>
      `${base}${path === '/' ? '' : path.split('/').map(encodeURIComponent).join('/')}` +
      (hash === undefined ? '' : `#${encodeURIComponent(hash)}`),
    image: file => `/api/dashboard/sites/${domain}/image?path=${encodeURIComponent(file)}`,
  };
  return { domain, places };
}

async function sendPage(
  deps: Deps,
  request: AskedRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { domain, places } = siteOf(request);
  const path = (request.params['*'] ?? '').replace(/\/+$/, '');
  const read = async (at: ReadSite): Promise<PublicPageData> => {
    const first = await frameOf(at, {});
    const page = (await at.site.page(path === '' ? (first.home ?? '/') : `/${path}`)) ?? null;
    if (!page) return { frame: first, page };
    const language = page.language ?? undefined;
    const version = page.version ?? (page.versions.length > 0 ? NO_VERSION : undefined);
    return { frame: { ...(await frameOf(at, { language, version })), home: first.home }, page };
  };
  const data = await readPublic(deps, { params: { domain }, ip: request.ip }, read);
  return reply
    .code(data.page ? 200 : 404)
    .type('text/html; charset=utf-8')
    .send(documentOf(data, places, deps.publicUrl));
}

function documentOf(data: PublicPageData, places: Places, publicUrl: string): string {
  const { frame, page } = data;
  if (!page) return serverPage({ ...problemPage('Page not found', NO_PAGE), data });
  const at = (path: string) => `${publicUrl}${places.page(path)}`;
  const alternates = page.languages.map(
    ({ name, path }) => html`<link rel="alternate" hreflang="${name}" href="${at(path)}">`,
  );
  return serverPage({
    of: 'docs',
    title: `${page.title} · ${frame.name}`,
    ...(page.description && { description: page.description }),
    ...(page.language && { language: page.language }),
    head: html`<link rel="canonical" href="${at(page.path)}">${alternates}
<link rel="sitemap" type="application/xml" href="${places.page('/sitemap.xml')}">`,
    content: articleOf(frame, page, places),
    data,
  });
}

function problemPage(title: string, sentence: string) {
  return {
    of: 'docs' as const,
    title,
    head: html`<meta name="robots" content="noindex">`,
    content: html`<h1>${title}</h1><p>${sentence}</p>`,
  };
}

function articleOf({ navigation }: SiteView, page: SitePageView, places: Places): Html {
  const { title, description, nodes, previous, next } = page;
  const entries = navigation.slice(0, MOST_ENTRIES).flatMap(({ title: name, path }) => {
    if (path === null) return [];
    return html`<li><a href="${places.page(path)}">${name}</a></li>`;
  });
  const neighbours = [previous, next].map(to =>
    to ? html` <a href="${places.page(to.path)}">${to.title}</a>` : html``,
  );
  return html`<div class="reader"><div class="reader-tools"></div>
<nav class="reader-navigation" aria-label="Pages of the docs"><ul>${entries}</ul></nav>
<article class="reader-page"><h1>${title}</h1>
${description ? html`<p class="reader-lead">${description}</p>` : ''}
<div class="page-body">${pageHtml(nodes, places)}</div>
<nav aria-label="Previous and next page">${neighbours}</nav></article></div>`;
}

async function sendSitemap(
  deps: Deps,
  request: AskedRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { domain, places } = siteOf(request);
  const paths = await readPublic(deps, { params: { domain }, ip: request.ip }, ({ site }) =>
    site.paths(),
  );
  const urls = paths.map(
    path => html`<url><loc>${deps.publicUrl}${places.page(path)}</loc></url>\n`,
  );
  const body = html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}</urlset>\n`;
  return reply
    .type('application/xml; charset=utf-8')
    .send(`<?xml version="1.0" encoding="UTF-8"?>\n${body.markup}`);
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type {
  MessagesRequest,
  SearchResultCitation,
} from '../../offline-model/protocol/messages-protocol.ts';
import { startAssistant, type TestAssistant } from '../api/assistant/harness.ts';
import { launchBrowser } from '../support/browser.ts';
import type { ScriptedAnswer } from '../support/scripted-model.ts';

export interface WidgetSite {
  assistant: TestAssistant;
  browser: Browser;
  /** Of the docs site, which is not Docent's. */
  origin: string;
  /** What the site answers, by path; others are the page of `siteHtml`. */
  pages: Map<string, { html: string; headers?: Record<string, string> }>;
  /** The tag, with more attributes. */
  tag(attributes?: Record<string, string>): string;
  /** What the model says next: a text, with citations of the first page found. */
  says(answer: Partial<ScriptedAnswer> & { cites?: boolean }): void;
  /** `path` may be the address of another site. */
  visit(path?: string, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}
interface VisitOptions extends NonNullable<Parameters<Browser['newContext']>[0]> {
  /** As readers have it: the shadow root stays closed. */
  closed?: boolean;
}
export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Errors of scripts, refusals of a policy. */
  complaints: string[];
  /** Hosts that were asked. */
  hosts: Set<string>;
}

/** Docent with a small site, a scripted model, a docs site of another origin, and a browser. */
export async function startWidgetSite(): Promise<WidgetSite> {
  let next: ScriptedAnswer & { cites?: boolean } = { text: 'Yes.', cites: true };
  const assistant = await startAssistant(request => ({
    ...next,
    ...(next.cites && { citations: [citation(request)] }),
  }));
  const browser = await launchBrowser();
  const pages: WidgetSite['pages'] = new Map();
  const tag: WidgetSite['tag'] = (attributes = {}) => {
    const all = {
      src: `${assistant.url}/widget.js`,
      'data-key': assistant.key,
      'data-domain': 'acme',
      ...attributes,
    };
    const written = Object.entries(all).map(
      ([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;')}"`,
    );
    return `<script async${written.join('')}></script>`;
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const { html, headers = {} } = pages.get(path) ?? { html: siteHtml(tag()) };
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ assistant, browser, origin, pages, tag },
    says(answer) {
      next = { cites: true, ...answer };
    },
    visit: (path = '/', options = {}) => visit(browser, new URL(path, origin).href, options),
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
      await assistant.close();
    },
  };
}

async function visit(browser: Browser, url: string, { closed, ...options }: VisitOptions) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  context.setDefaultTimeout(15_000);
  if (!closed) await context.addInitScript(OPEN_ROOTS);
  const page = await context.newPage();
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('request', request => hosts.add(new URL(request.url()).host));
  await page.goto(url);
  return { page, context, complaints, hosts };
}

/** Playwright and axe look into open roots only. */
const OPEN_ROOTS = `(() => {
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    return attach.call(this, { ...init, mode: 'open' });
  };
})()`;

/** A page of a docs site, with styles that reach for everything. */
export function siteHtml(tag: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Acme docs</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${head}</head>
<body><main><h1>Acme docs</h1><p id="text">The pump waters your plants on a schedule.</p>
<p><a href="/next">Next page</a> <button class="ask-me">Ask us</button></p></main>${tag}</body></html>`;
}

/** What the browser makes of a style. */
export function styleOf(element: Locator, name: 'color' | 'fontSize'): Promise<string> {
  return element.evaluate(
    (each, property) => (globalThis as unknown as Styles).getComputedStyle(each)[property],
    name,
  );
}
interface Styles {
  getComputedStyle(element: unknown): Record<'color' | 'fontSize', string>;
}

/** Of the first page found, as the real API would. */
function citation({ messages }: MessagesRequest): SearchResultCitation {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const found = blocks.find(({ type }) => type === 'search_result');
  if (!found) throw new Error('nothing was found to cite');
  return {
    type: 'search_result_location',
    ...{ source: String(found.source), title: found.title ?? null, cited_text: '' },
    ...{ search_result_index: 0, start_block_index: 0, end_block_index: 1 },
  };
}

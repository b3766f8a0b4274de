import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AnswerCache } from '../../sites/command/external/answer-cache.ts';
import { externalFindings } from '../../sites/command/external/external-links.ts';
import { readSite } from '../../sites/kinds/registry.ts';
import { siteSource } from '../../sites/kinds/source.ts';

/** `docent check --external`, of which the command itself asks for public addresses only. */
describe('links to other sites', () => {
  let folder: string;
  let server: Server;
  let asked: { what: string; at: number; agent: string | undefined }[] = [];
  let rests = 1;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'docent-external-'));
    server = createServer(({ method, url, headers }, response) => {
      asked.push({ what: `${method} ${url}`, at: Date.now(), agent: headers['user-agent'] });
      const status = Number(/^\/(\d{3})/.exec(url ?? '')?.[1] ?? 200);
      const hops = Number(/^\/hop(\d+)/.exec(url ?? '')?.[1] ?? 0);
      if (hops > 0) response.writeHead(302, { location: `/hop${hops - 1}` }).end();
      else if (url?.startsWith('/dead') || (url === '/reset' && method === 'HEAD'))
        response.destroy();
      else if (url === '/405' && method === 'GET') response.end();
      else if (url === '/429' && method === 'GET' && rests-- <= 0) response.end();
      else if (url === '/big') response.end('x'.repeat(10_000_000));
      else if (url === '/302') response.writeHead(302, { location: '/404' }).end();
      else response.writeHead(status, { 'retry-after': '1' }).end();
    });
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('asks politely, once for each address, and remembers what is fine', async () => {
    const { port } = server.address() as AddressInfo;
    const at = (path: string) => `http://127.0.0.1:${port}${path}`;
    const paths = [
      '/fine#a',
      '/fine#b',
      '/404',
      '/410',
      '/405',
      '/429',
      '/500',
      '/403',
      '/302',
      '/big',
    ];
    const text = [...paths.map(path => `[x](${at(path)})`), '[y](http://no-such-host.invalid/)'];
    const source = siteSource(['a.md', 'b.md'], file =>
      file === 'a.md' ? text.join('\n') : '# B',
    );
    const site = readSite(source);
    if (!site) throw new Error('no site');
    const file = join(folder, 'cache', 'links.json');
    const findings = await externalFindings(site, () => true, new AnswerCache(file));
    expect(findings.map(({ line, severity }) => `${line} ${severity}`)).toEqual([
      ...['3 error', '4 error', '7 warning', '8 warning', '9 error', '11 error'],
    ]);
    const first = asked;
    expect(first.filter(({ what }) => what.endsWith('/fine')).length).toBe(1);
    expect(new Set(first.map(({ agent }) => agent))).toEqual(
      new Set(['docent-check (checks links)']),
    );
    const pauses = first.slice(1).map(({ at: time }, index) => time - (first[index]?.at ?? 0));
    // A redirect is followed at once.
    expect(pauses.filter(pause => pause < 190)).toHaveLength(
      first.filter(({ what }) => what.endsWith('/302')).length,
    );
    asked = [];
    await externalFindings(site, () => true, new AnswerCache(file));
    const again = asked.map(({ what }) => what);
    expect(again).not.toContain('HEAD /fine');
    expect(again).not.toContain('HEAD /405');
    expect(again).toContain('HEAD /404');
  }, 60_000);

  it('goes on with GET where HEAD is cut off, and leaves a host that is down alone', async () => {
    const { port } = server.address() as AddressInfo;
    const paths = ['reset', 'hop10', 'hop11', 'fine', ...'12345'.split('').map(n => `dead${n}`)];
    const text = paths.map(path => `[x](http://127.0.0.1:${port}/${path})`).join('\n');
    const site = readSite(siteSource(['a.md'], () => text));
    if (!site) throw new Error('no site');
    asked = [];
    const cache = new AnswerCache(join(folder, 'none.json'));
    const findings = await externalFindings(site, () => true, cache);
    expect(findings.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '3 The site does not answer: it redirects too often.',
      ...[5, 6, 7, 8, 9].map(line => `${line} The site does not answer: ECONNRESET.`),
    ]);
    const dead = asked.map(({ what }) => what).filter(what => what.includes('/dead'));
    expect(dead).toEqual(['1', '2', '3'].flatMap(n => [`HEAD /dead${n}`, `GET /dead${n}`]));
  });
});

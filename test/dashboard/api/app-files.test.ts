import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { appFiles } from '../../../api/dashboard/app-files.ts';
import { registerProblems } from '../../../api/plugins/problems.ts';

const PAGE = '<!doctype html><title>The app</title>';
let dist: string;
let app: FastifyInstance;
beforeAll(async () => {
  dist = mkdtempSync(join(tmpdir(), 'docent-dist-'));
  mkdirSync(join(dist, 'assets'));
  writeFileSync(join(dist, 'assets', 'main-1a2b.js'), 'plain');
  writeFileSync(join(dist, 'assets', 'main-1a2b.js.br'), 'pressed');
  writeFileSync(join(dist, 'theme.js'), 'theme');
  writeFileSync(join(dist, '.secret'), 'secret');
  app = fastify();
  registerProblems(app);
  await app.register(appFiles, { formsTo: 'https://github.com', dist });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  rmSync(dist, { recursive: true, force: true });
});

it('says how to build what is not built, and shows it without a restart once it is', async () => {
  const before = await app.inject('/dashboard/acme/docs');
  expect([before.statusCode, before.body]).toEqual([
    503,
    expect.stringContaining('npm run build:dashboard'),
  ]);
  writeFileSync(join(dist, 'index.html'), PAGE);
  for (const path of [
    '/dashboard',
    '/dashboard/',
    '/dashboard/acme/docs/jobs/job_1',
    '/dashboard/acme/docs?status=failed',
    '/dashboard/sign-in',
  ]) {
    const answer = await app.inject(path);
    expect([path, answer.statusCode, answer.body]).toEqual([path, 200, PAGE]);
    expect(answer.headers['cache-control']).toBe('no-cache');
  }
});

it('lets the page load from here only, and be framed nowhere', async () => {
  const { headers } = await app.inject('/dashboard/');
  expect(headers['content-security-policy']).toBe(
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self' https://github.com; frame-ancestors 'none'",
  );
  expect(headers['x-content-type-options']).toBe('nosniff');
});

it('keeps built files in caches for good, compressed where the browser can', async () => {
  const plain = await app.inject('/dashboard/assets/main-1a2b.js');
  expect([plain.statusCode, plain.body, plain.headers['cache-control']]).toEqual([
    200,
    'plain',
    'public, max-age=31536000, immutable',
  ]);
  expect(plain.headers['content-type']).toMatch(/javascript/);
  const pressed = await app.inject({
    url: '/dashboard/assets/main-1a2b.js',
    headers: { 'accept-encoding': 'br, gzip' },
  });
  expect([pressed.body, pressed.headers['content-encoding']]).toEqual(['pressed', 'br']);
  expect([plain.headers.vary, pressed.headers.vary]).toEqual([
    'Accept-Encoding',
    'Accept-Encoding',
  ]);
  const theme = await app.inject('/dashboard/theme.js');
  expect([theme.body, theme.headers['cache-control']]).toEqual(['theme', 'no-cache']);
});

it('serves nothing else', async () => {
  for (const path of [
    '/dashboard/assets/absent.js',
    '/dashboard/absent.js',
    '/dashboard/assets/../../package.json',
    '/dashboard/assets/%2e%2e/%2e%2e/package.json',
    '/dashboard/assets/',
  ]) {
    const answer = await app.inject(path);
    expect([path, answer.statusCode >= 400]).toEqual([path, true]);
    expect(answer.headers['cache-control'] ?? '').not.toContain('immutable');
  }
  expect((await app.inject('/dashboard/.secret')).body).not.toContain('secret');
});

it('is where the address without a path leads', async () => {
  const answer = await app.inject('/');
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/dashboard']);
});

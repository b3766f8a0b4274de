import { execFileSync, spawnSync } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rm } from 'node:fs/promises';
import { freePort } from '../../cli/embedded/ports.ts';
import { docent, temporaryFolder } from '../support/docent.ts';

const PROBLEM = JSON.stringify({
  type: 'urn:docent:problem:not-found',
  detail: 'There is no such job.',
});

describe('the command among strangers', () => {
  let server: Server;
  let answer: RequestListener;
  let baseUrl: string;
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const job = (url = baseUrl, ...words: string[]) =>
    docent(folder, [
      'job',
      ...(words.length > 0 ? words : ['get', 'job_x']),
      '--base-url',
      url,
      '--key',
      'k',
      '--project',
      'prj_x',
    ]);

  it.each<[what: string, answer: RequestListener, words: string[], says: RegExp]>([
    [
      'a page',
      (_, res) => res.setHeader('content-type', 'text/html').end('<h1>Hi</h1>'),
      [],
      /200 with text\/html/,
    ],
    [
      'a page as a diff',
      (_, res) => res.setHeader('content-type', 'text/html').end('<h1>Hi</h1>'),
      ['diff', 'job_x'],
      /200 with text\/html/,
    ],
    [
      'a sign-in',
      (_, res) => res.writeHead(302, { location: 'https://sso.test/login' }).end(),
      [],
      /redirect to https:\/\/sso\.test/,
    ],
    [
      'another service',
      (_, res) => res.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"no"}'),
      [],
      /404 with application\/json/,
    ],
    [
      'a proxy',
      (_, res) => res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
      [],
      /502 with text\/html/,
    ],
  ])('%s is not taken for Docent', async (_, given, words, says) => {
    answer = given;
    const { code, stdout, stderr } = await job(baseUrl, ...words);
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr).toContain('--base-url');
    expect(stderr).not.toContain('<h1>');
  });

  it('an error of ours keeps its sentence and code', async () => {
    answer = (_, res) =>
      res.writeHead(404, { 'content-type': 'application/problem+json' }).end(PROBLEM);
    expect(await job()).toMatchObject({ code: 4, stderr: 'There is no such job.\n' });
  });

  it('a port without TLS, and one without anybody, are named', async () => {
    expect((await job(baseUrl.replace('http:', 'https:'))).stderr).toMatch(
      /http:\/\/ instead of https/,
    );
    expect((await job(`http://127.0.0.1:${await freePort('127.0.0.1')}`)).stderr).toMatch(
      /does not answer \(ECONNREFUSED\)/,
    );
  });

  /** The completions of the words so far: each shell is asked as it asks itself. */
  const SHELLS: Record<string, string> = {
    bash: 'COMP_WORDS=(docent "$@"); COMP_CWORD=$#; _docent 2>/dev/null; echo "${COMPREPLY[@]}"',
    zsh:
      'compadd() { print -r -- ${(M)all:#$words[CURRENT]*} }; ' +
      'words=(docent "$@"); CURRENT=$#words; _docent',
    fish: 'echo (complete -C "docent $argv[2..]")',
  };

  it.each(Object.entries(SHELLS))('completes commands and options in %s', async (shell, asks) => {
    if (spawnSync(shell, ['--version']).status !== 0) return;
    const { stdout } = await docent(folder, ['completion', shell]);
    const complete = (...words: string[]) =>
      execFileSync(shell, ['-c', `${stdout}\n${asks}`, 'x', ...words], {
        encoding: 'utf8',
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: folder },
      })
        .trim()
        .split(' ')
        .sort();
    expect(complete('jo')).toEqual(['job']);
    expect(complete('job', 'c')).toEqual(['cancel', 'create']);
    expect(complete('job', 'create', '--wa')).toEqual(['--wait']);
  });
});

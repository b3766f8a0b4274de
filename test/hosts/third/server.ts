import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HostedCommit, PullRequest, PullRequestInput } from '../../../hosts/host.ts';
import { serveGit } from '../github/git-backend.ts';

export interface ThirdServer {
  url: string;
  token: string;
  /** Pull requests of every repository, in memory. */
  pulls: PullRequest[];
  git(...args: string[]): string;
  stop(): Promise<void>;
}

const TOKEN = 'third-host-token-of-the-tests';
/** The one repository of the host. */
export const REPOSITORY = 'team/handbook';

/** A small repository host of its own: git over HTTP, and JSON for its pull requests. */
export async function startThirdServer(files: Record<string, string>): Promise<ThirdServer> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-third-'));
  const bare = join(folder, `${REPOSITORY}.git`);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', bare, ...args], { encoding: 'utf8' });
  seed(folder, bare, files);
  const pulls: PullRequest[] = [];
  const server = createServer((request, response) => {
    answer({ bare, url, pulls, git }, request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    token: TOKEN,
    pulls,
    git,
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface State extends Pick<ThirdServer, 'url' | 'pulls' | 'git'> {
  /** Folder of the bare repository. */
  bare: string;
}

async function answer(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { bare, git } = state;
  const { pathname, searchParams, search } = new URL(request.url ?? '/', state.url);
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return end(response, 401);
  const rest = pathname.slice(`/${REPOSITORY}`.length);
  if (!pathname.startsWith(`/${REPOSITORY}`)) return end(response, 404);
  if (rest.startsWith('.git/'))
    return serveGit(request, response, { folder: bare }, rest.slice(5), search.slice(1));
  if (rest === '') return end(response, 200, { defaultBranch: 'main' });
  if (rest === '/files') {
    const files = git('ls-tree', '-r', '--name-only', searchParams.get('ref') ?? '');
    return end(response, 200, files.split('\n').filter(Boolean));
  }
  if (rest === '/merge-base') {
    const commit = git('merge-base', searchParams.get('a') ?? '', searchParams.get('b') ?? '');
    return end(response, 200, { commit: commit.trim() });
  }
  if (rest === '/commits')
    return end(
      response,
      200,
      commitsBetween(git, searchParams.get('base') ?? '', searchParams.get('head') ?? ''),
    );
  return await answerPulls(state, request, response, rest);
}

function commitsBetween(git: State['git'], base: string, head: string): HostedCommit[] {
  const ids = git('rev-list', '--reverse', '--no-merges', `${base}..${head}`).split('\n');
  return ids.filter(Boolean).map(commit => {
    const lines = git('show', '--no-patch', '--format=%T%n%at%n%P%n%B', commit).split('\n');
    const [tree = '', time = '', parent = '', ...message] = lines;
    return { commit, tree, parent, time: Number(time), message: message.join('\n') };
  });
}

async function answerPulls(
  { url, pulls, git }: State,
  request: IncomingMessage,
  response: ServerResponse,
  rest: string,
): Promise<void> {
  const [, number] = /^\/pulls(?:\/(\d+))?$/.exec(rest) ?? [];
  const known = pulls.find(pull => pull.number === Number(number));
  if (number !== undefined && !known) return end(response, 404);
  const headCommit = (head: string) => git('rev-parse', `refs/heads/${head}`).trim();
  if (request.method === 'GET') {
    for (const pull of pulls) pull.headCommit = headCommit(pull.head);
    return end(response, 200, known ?? pulls.toReversed());
  }
  const body = await readJson<PullRequestInput>(request);
  if (known) return end(response, 200, Object.assign(known, body));
  const { title, body: text, head, base, draft } = body;
  const pull: PullRequest = {
    number: pulls.length + 1,
    url: `${url}/${REPOSITORY}/pulls/${pulls.length + 1}`,
    state: 'open',
    draft,
    title,
    body: text,
    head,
    base,
    headCommit: headCommit(head),
  };
  pulls.push(pull);
  end(response, 201, pull);
}

function seed(folder: string, bare: string, files: Record<string, string>): void {
  const tree = join(folder, 'tree');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], {
      cwd: tree,
    });
  };
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'Begin');
  git('clone', '--quiet', '--bare', tree, bare);
  execFileSync('git', ['-C', bare, 'config', 'http.receivepack', 'true']);
}

async function readJson<T>(request: IncomingMessage): Promise<T> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as T;
}

function end(response: ServerResponse, status: number, body?: unknown): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(body === undefined ? '' : JSON.stringify(body));
}

import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { branchHead } from '../../../hosts/git/branch-head.ts';
import { until } from '../../support/until.ts';
import { GitRepositories } from '../../../hosts/git/repositories.ts';
import type { GitRemote } from '../../../hosts/git/remote.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function remote(url: string): GitRemote {
  return {
    key: 'test/one',
    name: 'Repository one',
    url: `${url}/one.git`,
    authorization: async () => 'Bearer very-secret',
  };
}

/** What a host's answer becomes. */
async function failure(
  listener: RequestListener,
  signal = AbortSignal.timeout(5_000),
): Promise<unknown> {
  return await branchHead(remote(await serve(listener)), 'main', signal).catch(
    (error: unknown) => error,
  );
}

describe('a host that fails', () => {
  it.each([
    [401, 'credentials_refused'],
    [403, 'credentials_refused'],
    [404, 'repository_not_found'],
    [500, 'repository_failing'],
    [503, 'repository_failing'],
  ])('with %i is %s', async (status, type) => {
    expect(await failure((_, response) => response.writeHead(status).end('no'))).toMatchObject({
      type,
    });
  });

  it('with 429 says when to come back', async () => {
    const error = await failure((_, response) =>
      response.writeHead(429, { 'retry-after': '7' }).end(),
    );
    expect(error).toMatchObject({ type: 'repository_rate_limited', retryAfterMs: 7_000 });
  });

  it('by being out of reach, or by cutting the connection, is unreachable', async () => {
    const url = await serve((_, response) => response.end());
    servers[0]!.close();
    expect(
      await branchHead(remote(url), 'main', AbortSignal.timeout(5_000)).catch(
        (error: unknown) => error,
      ),
    ).toMatchObject({
      type: 'repository_unreachable',
      message: expect.stringMatching(/connect/i),
    });
    expect(await failure(request => request.socket.destroy())).toMatchObject({
      type: 'repository_unreachable',
    });
  });

  it("by silence ends with the caller's patience", async () => {
    await expect(
      branchHead(remote(await serve(() => undefined)), 'main', AbortSignal.timeout(50)),
    ).rejects.toThrow(/timeout/);
  });
});

describe('a redirect', () => {
  it('to another host is not followed: the credentials stay where they belong', async () => {
    const elsewhere: IncomingMessage[] = [];
    const other = await serve((request, response) => {
      elsewhere.push(request);
      response.end();
    });
    const error = await failure((request, response) =>
      response.writeHead(302, { location: `${other}${request.url}` }).end(),
    );
    expect(error).toMatchObject({
      type: 'repository_not_found',
      message: expect.not.stringContaining('very-secret'),
    });
    expect(elsewhere).toEqual([]);
  });

  it('within the host is followed, but not in circles', async () => {
    const seen: string[] = [];
    const listener: RequestListener = (request, response) => {
      seen.push(`${request.url} ${request.headers.authorization}`);
      if (request.url?.startsWith('/one.git'))
        response.writeHead(301, { location: request.url.replace('one', 'two') }).end();
      else
        response
          .writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
          .end(`001e# service=git-upload-pack\n0000003e${'a'.repeat(40)} refs/heads/main\0\n0000`);
    };
    const url = await serve(listener);
    expect(await branchHead(remote(url), 'main', AbortSignal.timeout(5_000))).toBe('a'.repeat(40));
    expect(seen[1]).toBe('/two.git/info/refs?service=git-upload-pack Bearer very-secret');
    expect(
      await failure((request, response) =>
        response.writeHead(302, { location: request.url }).end(),
      ),
    ).toMatchObject({ type: 'repository_not_found' });
  });
});

describe('a list of branches that is cut', () => {
  const SERVICE = '001e# service=git-upload-pack\n0000';
  const REF = `003e${'a'.repeat(40)} refs/heads/main\0\n`;

  it.each([
    ['after its head line', SERVICE],
    ['after some branches', SERVICE + REF],
    ['within a branch', SERVICE + REF.slice(0, 30)],
    ['before anything', ''],
  ])('is no answer: %s', async (_, sent) => {
    for (const end of ['well', 'broken']) {
      const error = await failure((__, response) => {
        response.writeHead(200, {
          'content-type': 'application/x-git-upload-pack-advertisement',
        });
        response.write(sent);
        if (end === 'well') response.end();
        else setTimeout(() => response.socket?.destroy(), 20);
      });
      expect(error).toMatchObject({ type: 'repository_unreachable' });
    }
  });

  it('is no answer in version 2 of the protocol either', async () => {
    const error = await failure((request, response) => {
      if (request.method === 'GET')
        response
          .writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
          .end(`${SERVICE}000eversion 2\n0013ls-refs=unborn\n0000`);
      else
        response
          .writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
          .end(`003c${'b'.repeat(40)} refs/heads/other`.slice(0, 40));
    });
    expect(error).toMatchObject({ type: 'repository_unreachable' });
  });
});

it('ends the fetch from a host that hangs, though nobody aborts it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-hangs-'));
  const url = await serve(() => undefined);
  const repositories = new GitRepositories(folder, { name: 'A', email: 'a@b' }, undefined, 200);
  const never = new AbortController().signal;
  await expect(repositories.snapshot(remote(url), '1'.repeat(40), never)).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  rmSync(folder, { recursive: true });
});

/** The command lines of all processes; none on a system without `/proc`. */
function commandLines(): string[] {
  const ids = existsSync('/proc') ? readdirSync('/proc').filter(name => /^\d+$/.test(name)) : [];
  return ids.flatMap(id => {
    try {
      return [readFileSync(`/proc/${id}/cmdline`, 'utf8')];
    } catch {
      return []; // it has ended
    }
  });
}

it('shows the credentials in no list of processes, and leaves none behind that is aborted', async () => {
  const asked = new EventEmitter<{ asked: [string | undefined] }>();
  const url = await serve(request => asked.emit('asked', request.headers.authorization));
  const stopped = new AbortController();
  const heard = once(asked, 'asked');
  const head = branchHead(remote(url), 'main', stopped.signal);
  expect(await heard).toEqual(['Bearer very-secret']);
  expect(commandLines().filter(line => line.includes('very-secret'))).toEqual([]);
  stopped.abort(new Error('gone'));
  await expect(head).rejects.toThrow('gone');
  await until('git and what it started have ended', async () =>
    commandLines().every(line => !line.includes(url)),
  );
});

import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { flushPacket, packet } from '../../../hosts/git/packets.ts';
import type { Repository } from './state.ts';

/** Git smart HTTP by git's own CGI. The caller has checked the token. */
export function serveGit(
  request: IncomingMessage,
  response: ServerResponse,
  repository: Pick<Repository, 'folder'>,
  rest: string,
  query: string,
): void {
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: repository.folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: `/${rest}`,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      REMOTE_USER: 'token',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      ...(request.headers['content-encoding'] && {
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      }),
      ...(request.headers['git-protocol'] && {
        GIT_PROTOCOL: String(request.headers['git-protocol']),
      }),
    },
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  let head: Buffer | null = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (head === null) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    for (const line of head.toString('latin1', 0, end).split('\r\n')) {
      const [name = '', value = ''] = line.split(': ');
      if (name.toLowerCase() === 'status') response.statusCode = Number(value.slice(0, 3));
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
    head = null;
  });
  child.on('close', () => response.end());
}

/**
 * The report of a push that GitHub's rules refuse: the pack was fine, the reference is not taken.
 * If the reason begins with `unpack`, the pack could not be stored; `unpack ok` and nothing ends the
 * report there, or before it.
 */
export async function refusePush(
  request: IncomingMessage,
  response: ServerResponse,
  reason: string,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const ref = /refs\/heads\/[^\0\s]+/.exec(Buffer.concat(chunks).toString('latin1'))?.[0] ?? '';
  const isCut = reason === '' || reason === 'unpack ok';
  const isUnpacked = !reason.startsWith('unpack ');
  const report = isCut
    ? packet(`${reason}\n`)
    : Buffer.concat([
        packet(isUnpacked ? 'unpack ok\n' : `${reason}\n`),
        packet(`ng ${ref} ${isUnpacked ? reason : 'unpacker error'}\n`),
        flushPacket,
      ]);
  const band = (number: number, content: Buffer): Buffer =>
    packet(Buffer.concat([Buffer.from([number]), content]));
  response.setHeader('content-type', 'application/x-git-receive-pack-result');
  if (reason === '') return void response.end();
  response.end(
    Buffer.concat([band(2, Buffer.from(`error: ${reason}\n`)), band(1, report), flushPacket]),
  );
}

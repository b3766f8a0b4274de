import { flushPacket, packet, packetsIn, packetText } from './packets.ts';
import { RepositoryError } from '../repository-error.ts';
import { gitHttp } from './http.ts';
import type { GitRemote } from './remote.ts';

const DELIMITER = Buffer.from('0001');
/** Of one answer; what is asked for at once is far below. */
const MAX_ANSWER = 256 * 1024 * 1024;

/**
 * The packfile with just the objects wanted, by git's protocol version 2. Of a commit: itself and
 * its trees, neither history nor file contents (isomorphic-git knows no filters). Of a blob:
 * itself. Throws `RepositoryError`.
 */
export async function fetchPack(
  remote: GitRemote,
  wants: readonly string[],
  signal: AbortSignal,
): Promise<Buffer> {
  const line = (text: string): Buffer => packet(`${text}\n`);
  const body = Buffer.concat([
    line('command=fetch'),
    DELIMITER,
    ...wants.map(id => line(`want ${id}`)),
    line('no-progress'),
    line('deepen 1'),
    line('filter blob:none'),
    line('done'),
    flushPacket,
  ]);
  const response = await gitHttp(remote, signal).request({
    url: `${remote.url}/git-upload-pack`,
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-upload-pack-request',
      accept: 'application/x-git-upload-pack-result',
      'git-protocol': 'version=2',
    },
    body: [body] as unknown as AsyncIterableIterator<Uint8Array>,
  });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_ANSWER)
      throw new RepositoryError(
        'repository_unreachable',
        `${remote.name} gives more than ${MAX_ANSWER / 1024 ** 2} MB at once: ` +
          'a file there is too large for Docent.',
      );
    chunks.push(chunk);
  }
  return packIn(remote, Buffer.concat(chunks, length), wants);
}

/** After its heading the packfile comes on band 1; band 3 is the server's last words. */
function packIn(remote: GitRemote, answer: Buffer, wants: readonly string[]): Buffer {
  const packets = packetsIn(answer);
  const heading = packets.findIndex(each => packetText(each) === 'packfile');
  const said = packets.map(each => each.toString('utf8')).find(text => text.startsWith('ERR '));
  if (heading < 0) {
    throw new RepositoryError(
      'ref_not_found',
      `${remote.name} does not hand out ${wants[0]?.slice(0, 10)}: its branch may be gone.` +
        (said ? ` It says: ${said.slice(4, 200).trim()}` : ''),
    );
  }
  const bands = packets.slice(heading + 1);
  const last = bands.find(each => each[0] === 3);
  if (last)
    throw new RepositoryError(
      'repository_unreachable',
      `${remote.name} broke off: ${packetText(last.subarray(1)).slice(0, 200)}`,
    );
  return Buffer.concat(bands.filter(each => each[0] === 1).map(each => each.subarray(1)));
}

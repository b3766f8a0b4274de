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
  const asked = [...wants.map(id => `want ${id}`), 'deepen 1', 'filter blob:none'];
  return packIn(remote, await fetchPackets(remote, asked, signal), wants);
}

/** What a repository that is fetched already has, so that only newer commits are sent. */
export interface FetchedHistory {
  commit: string;
  /** Commits whose parents were left out. */
  boundary: readonly string[];
}

/**
 * A commit with at most `depth` commits of its history and their trees; with file contents only if
 * the remote cannot leave them out. Throws `RepositoryError`.
 */
export async function fetchHistory(
  remote: GitRemote,
  commit: string,
  { depth, have }: { depth: number; have: FetchedHistory | undefined },
  signal: AbortSignal,
): Promise<{ pack: Buffer; boundary: string[] }> {
  const before = have?.boundary ?? [];
  const asked = [
    `want ${commit}`,
    ...before.map(id => `shallow ${id}`),
    `deepen ${depth}`,
    ...(remote.partial ? ['filter blob:none'] : []),
    ...(have ? [`have ${have.commit}`] : []),
  ];
  const packets = await fetchPackets(remote, asked, signal);
  const pack = packIn(remote, packets, [commit]);
  const boundary = new Set(before);
  for (const each of packets) {
    const [, change, id = ''] = /^(shallow|unshallow) ([0-9a-f]{40})$/.exec(packetText(each)) ?? [];
    if (change === 'shallow') boundary.add(id);
    else if (change === 'unshallow') boundary.delete(id);
  }
  return { pack, boundary: [...boundary] };
}

async function fetchPackets(
  remote: GitRemote,
  asked: readonly string[],
  signal: AbortSignal,
): Promise<Buffer[]> {
  const line = (text: string): Buffer => packet(`${text}\n`);
  const body = Buffer.concat([
    line('command=fetch'),
    DELIMITER,
    line('no-progress'),
    ...asked.map(line),
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
  return packetsIn(Buffer.concat(chunks, length));
}

/** After its heading the packfile comes on band 1; band 3 is the server's last words. */
function packIn(remote: GitRemote, packets: readonly Buffer[], wants: readonly string[]): Buffer {
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

import git, { type HttpClient } from 'isomorphic-git';
import { flushPacket, packet, packetsIn, packetText } from './packets.ts';
import { RepositoryError } from '../repository-error.ts';
import type { BuiltCommit } from './commit.ts';
import { gitHttp } from './http.ts';
import { packOf } from './objects.ts';
import { branchHead } from './branch-head.ts';
import type { GitRemote } from './remote.ts';

const NOTHING = '0'.repeat(40);

/**
 * Moves `branch` from `expectedHead` (null: it must not exist) to our commit; there already is
 * success.
 *
 * The request names the old commit, so the server's compare-and-swap is the lease, and the pack
 * holds what we made and nothing else. (isomorphic-git's own push walks the whole tree of a shallow
 * parent: 0.4 s.) Throws `RepositoryError`: `branch_moved`, `push_refused` with the server's
 * sentence, `repository_failing` if it could not store the pack, or what the network says.
 */
export async function pushCommit(
  remote: GitRemote,
  branch: string,
  built: BuiltCommit,
  expectedHead: string | null,
  signal: AbortSignal,
): Promise<void> {
  const http = gitHttp(remote, signal);
  const ref = `refs/heads/${branch}`;
  const known = remote.pushCapabilities && { head: expectedHead, offered: remote.pushCapabilities };
  const { head, offered } = known ?? (await askForPush(remote, http, ref));
  if (head === built.commit) return;
  if (head !== expectedHead) throw moved(remote, branch);
  const capabilities = ['report-status', 'side-band-64k'].filter(name => offered.includes(name));
  const command = packet(
    `${expectedHead ?? NOTHING} ${built.commit} ${ref}\0${capabilities.join(' ')}`,
  );
  const response = await http.request({
    url: `${remote.url}/git-receive-pack`,
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-receive-pack-request',
      accept: 'application/x-git-receive-pack-result',
    },
    body: [
      Buffer.concat([command, flushPacket, packOf(built.objects)]),
    ] as unknown as AsyncIterableIterator<Uint8Array>,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) chunks.push(chunk);
  const refusal = refusalIn(Buffer.concat(chunks), capabilities.includes('side-band-64k'));
  if (refusal === undefined) return;
  // What the server says of a lost race differs from host to host; where the branch is now does
  // not.
  const now = await branchHead(remote, branch, signal);
  if (now === built.commit) return;
  if (now !== expectedHead) throw moved(remote, branch);
  throw refused(remote, branch, refusal);
}

/** Where the branch is, and what the server can do. */
async function askForPush(
  { url, name }: GitRemote,
  http: HttpClient,
  ref: string,
): Promise<{ head: string | null; offered: string[] }> {
  const info = await git.getRemoteInfo2({ http, url, forPush: true, protocolVersion: 1 });
  if (info.protocolVersion !== 1)
    throw new RepositoryError(
      'repository_unreachable',
      `${name} answers a push in a protocol that is not understood.`,
    );
  const head = info.refs?.find(known => known.ref === ref)?.oid ?? null;
  return { head, offered: Object.keys(info.capabilities) };
}

function refused(
  { name }: GitRemote,
  branch: string,
  { isOfTheServer, reason }: Refusal,
): RepositoryError {
  return isOfTheServer
    ? new RepositoryError(
        'repository_failing',
        `${name} cannot store the push to ${branch}: ${reason}`,
      )
    : new RepositoryError('push_refused', `${name} refuses the push to ${branch}: ${reason}`);
}

interface Refusal {
  reason: string;
  /**
   * It could not store what it got, as on a full disk, or did not live to report: no rule refused
   * the branch.
   */
  isOfTheServer: boolean;
}

/** As `git receive-pack` says that it failed itself; a pack over its limit will not do later. */
const OWN_FAILURE =
  /^(?:\S+ abnormal exit|unpacker error|unable to (?:create temporary|migrate) object)/;
const TOO_LARGE = /exceeds maximum/;

/** Undefined where it took the push. */
function refusalIn(answer: Buffer, sideBand: boolean): Refusal | undefined {
  const said: string[] = [];
  let report = answer;
  if (sideBand) {
    const bands = packetsIn(answer).filter(part => part.length > 0);
    report = Buffer.concat(bands.filter(part => part[0] === 1).map(part => part.subarray(1)));
    said.push(
      ...bands
        .filter(part => part[0] === 2 || part[0] === 3)
        .map(part => packetText(part.subarray(1))),
    );
  }
  const lines = packetsIn(report).map(packetText);
  if (lines[0] === 'unpack ok' && lines.length > 1 && lines.slice(1).every(isOk)) return undefined;
  const reasons = lines.filter(
    line => line.startsWith('ng ') || (line.startsWith('unpack ') && line !== 'unpack ok'),
  );
  const sentence = [...reasons.map(line => line.replace(/^(ng \S+|unpack) /, '')), ...said].join(
    ' ',
  );
  const reason = sentence
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 500);
  const isOfTheServer =
    (reasons.length === 0 || OWN_FAILURE.test(sentence)) && !TOO_LARGE.test(sentence);
  return { reason: reason || 'it gave no report.', isOfTheServer };
}

function isOk(line: string): boolean {
  return line.startsWith('ok ');
}

function moved(remote: GitRemote, branch: string): RepositoryError {
  return new RepositoryError(
    'branch_moved',
    `Branch ${branch} of ${remote.name} has moved meanwhile.`,
  );
}

import type { Readable } from 'node:stream';
import type { LocalRepositoryRow } from '../../db/local-host/local-host.ts';
import { Problem } from '../../shared/errors.ts';
import { flushPacket, packet } from '../../hosts/git/packets.ts';

const MAX_COMMANDS = 256 * 1024;
const NOTHING = '0'.repeat(40);

export interface PushCommand {
  from: string;
  to: string;
  ref: string;
}

export interface PushRequest {
  commands: PushCommand[];
  /** The client reads the report, and text for people, in bands. */
  sideBand: boolean;
  /** The whole request, as it came. */
  replay: AsyncGenerator<Buffer>;
}

/**
 * Reads a push as far as its list of ref changes, which stands before the pack. Throws
 * `invalid_request`.
 */
export async function readPush(body: Readable): Promise<PushRequest> {
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  const commands: PushCommand[] = [];
  let sideBand = false;
  let seen = Buffer.alloc(0);
  for (let at = 0; ;) {
    const length =
      seen.length >= at + 4 ? Number.parseInt(seen.toString('latin1', at, at + 4), 16) : undefined;
    if (length === 0) break;
    if (length === undefined || seen.length < at + length) {
      const { value, done } = await chunks.next();
      if (done || seen.length > MAX_COMMANDS)
        throw new Problem('invalid_request', 'The request is not a valid git push.');
      seen = Buffer.concat([seen, value]);
      continue;
    }
    if (Number.isNaN(length) || length < 4)
      throw new Problem('invalid_request', 'The request is not a valid git push.');
    const [line, capabilities] = seen.toString('utf8', at + 4, at + length).split('\0');
    if (capabilities?.includes('side-band-64k')) sideBand = true;
    const [, from, to, ref] = /^([0-9a-f]{40}) ([0-9a-f]{40}) (\S+)\s*$/.exec(line ?? '') ?? [];
    if (from && to && ref) commands.push({ from, to, ref });
    at += length;
  }
  return { commands, sideBand, replay: replay(seen, chunks) };
}

async function* replay(seen: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield seen;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/**
 * Why this repository does not take that change, or undefined. What git itself refuses is left to
 * git.
 */
export function refusal(
  repository: LocalRepositoryRow,
  { ref, to }: PushCommand,
): string | undefined {
  if (repository.archived) return `repository ${repository.name} is archived and read-only`;
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  if (branch === undefined)
    return ref.startsWith('refs/tags/') ? undefined : 'only branches and tags can be pushed here';
  if (repository.protected.includes(branch))
    return `branch ${branch} is protected: open a pull request`;
  if (branch === repository.default_branch && to === NOTHING)
    return `branch ${branch} is the default branch and cannot be deleted`;
  return undefined;
}

/** The answer to a push of which nothing is taken, in the form in which git reports it. */
export function refusedReport(
  repository: LocalRepositoryRow,
  push: Pick<PushRequest, 'commands' | 'sideBand'>,
): Buffer {
  const lines = push.commands.map(command =>
    packet(`ng ${command.ref} ${refusal(repository, command) ?? 'refused with the others'}\n`),
  );
  const report = Buffer.concat([packet('unpack ok\n'), ...lines, flushPacket]);
  return push.sideBand
    ? Buffer.concat([packet(Buffer.concat([Buffer.from([1]), report])), flushPacket])
    : report;
}

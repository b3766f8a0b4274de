import { devNull } from 'node:os';
import { Problem } from '../../shared/errors.ts';
import { LONGEST_WAIT_MS, RepositoryError } from '../repository-error.ts';
import { git, GitCommandError, type GitOptions } from './git-command.ts';
import type { GitRemote } from './remote.ts';

const MAX_REDIRECTS = 3;

/** No setting of the machine or its user counts: neither credential helpers nor rewritten addresses. */
const ALONE = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ALLOW_PROTOCOL: 'http:https',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  GIT_TRACE_CURL: '3',
  GIT_TRACE_CURL_NO_DATA: '1',
  HOME: devNull, // .netrc
  LC_ALL: 'C',
};

/** Old commits of honest repositories have these faults. */
const HARMLESS = [
  ...['badTimezone', 'missingSpaceBeforeDate', 'missingEmail', 'missingSpaceBeforeEmail'],
  ...['zeroPaddedDate', 'zeroPaddedFilemode', 'badFilemode'],
];

/**
 * Runs a git that speaks with the remote, which is called `origin` in `args`; what it printed. The
 * credentials are in git's environment, and git follows no redirect: one within the host is followed
 * here, because credentials are for that host and nobody else. Throws `RepositoryError`;
 * `GitCommandError` if the remote answered well and git failed all the same.
 */
export async function askRemote(
  remote: GitRemote,
  args: readonly string[],
  options: Pick<GitOptions, 'environment' | 'input' | 'limits' | 'signal'>,
): Promise<string> {
  let { url } = remote;
  for (let redirects = 0; ; redirects += 1) {
    const authorization = await remote.authorization();
    try {
      return await git(args, {
        cwd: '/', // not in a repository that we happen to be started in
        ...options,
        environment: { ...options.environment, ...ALONE, ...settingsFor(remote, url) },
        secret: {
          name: 'GIT_CONFIG_VALUE_0',
          value: authorization ? `Authorization: ${authorization}` : '',
        },
        traced: true,
      });
    } catch (error) {
      if (error instanceof Problem) throw unreachable(remote, 'git is missing or said too much');
      if (!(error instanceof GitCommandError)) throw error;
      const answer = lastAnswer(error.trace);
      const location = answer && answer.status < 400 && answer.headers.get('location');
      if (!location) throw explain(remote, error, answer);
      url = redirected(remote, url, location, redirects);
    }
  }
}

/** As `git -c` has them, but in the environment: the first is the header with the credentials. */
function settingsFor(remote: GitRemote, url: string): Record<string, string> {
  const settings = [
    ['remote.origin.url', url],
    ['remote.origin.promisor', String(remote.partial === true)],
    ['http.followRedirects', 'false'],
    ['http.postBuffer', '16777216'], // a larger request is sent twice, the first time empty
    ['credential.helper', ''],
    ['fetch.unpackLimit', '1'],
    ['fetch.fsckObjects', 'true'],
    ...HARMLESS.map(fault => [`fetch.fsck.${fault}`, 'ignore']),
    ...(remote.isOurs ? [['http.proxy', '']] : []),
  ];
  return {
    GIT_CONFIG_COUNT: String(settings.length + 1),
    GIT_CONFIG_KEY_0: 'http.extraHeader',
    ...Object.fromEntries(
      settings.flatMap(([key = '', value = ''], n) => [
        [`GIT_CONFIG_KEY_${n + 1}`, key],
        [`GIT_CONFIG_VALUE_${n + 1}`, value],
      ]),
    ),
  };
}

interface Answer {
  status: number;
  headers: Map<string, string>;
}

/** The last answer of which curl traced the head. */
function lastAnswer(trace: string): Answer | undefined {
  let answer: Answer | undefined;
  for (const [, line = ''] of trace.matchAll(/<= Recv header: (.*?)\r?$/gim)) {
    const [, status] = /^HTTP\/\S+ (\d{3})/.exec(line) ?? [];
    if (status !== undefined) answer = { status: Number(status), headers: new Map() };
    const [, name, value = ''] = /^([^:\s]+): *(.*)$/.exec(line) ?? [];
    if (name !== undefined) answer?.headers.set(name.toLowerCase(), value.trim());
  }
  return answer;
}

function explain(remote: GitRemote, error: GitCommandError, answer: Answer | undefined): Error {
  if (answer && answer.status !== 200) return refusal(remote, answer);
  const [, reason] = /unable to access '[^']*': (.*)$/m.exec(error.stderr) ?? [];
  if (reason !== undefined || !answer)
    return unreachable(remote, reason ?? 'the connection failed');
  return error;
}

function unreachable({ name }: GitRemote, reason: string): RepositoryError {
  return new RepositoryError(
    'repository_unreachable',
    `${name} cannot be reached: ${reason.slice(0, 200)}.`,
  );
}

function refusal({ name }: GitRemote, { status, headers }: Answer): RepositoryError {
  if (status === 401 || status === 403)
    return new RepositoryError(
      'credentials_refused',
      `${name} refuses the credentials (${status}): check the token and what it may do there.`,
    );
  if (status === 404 || status === 410 || status === 451)
    return new RepositoryError(
      'repository_not_found',
      `${name} is not found, or the credentials may not see it (${status}).`,
    );
  if (status === 429) {
    const seconds = Number(headers.get('retry-after'));
    return new RepositoryError(
      'repository_rate_limited',
      `${name} asks to slow down (429): try again later.`,
      seconds > 0 ? { retryAfterMs: Math.min(seconds * 1000, LONGEST_WAIT_MS) } : {},
    );
  }
  return new RepositoryError(
    status >= 500 ? 'repository_failing' : 'repository_unreachable',
    `${name} answers with status ${status}: try again later.`,
  );
}

/** The repository's new address. Throws if it is on another host, or the last of too many. */
function redirected(remote: GitRemote, url: string, location: string, redirects: number): string {
  const target = URL.canParse(location, url) ? new URL(location, url) : undefined;
  const service = /\/(?:info\/refs|git-upload-pack|git-receive-pack)$/;
  if (target?.origin === new URL(url).origin && redirects < MAX_REDIRECTS) {
    return `${target.origin}${target.pathname.replace(service, '')}`;
  }
  throw new RepositoryError(
    'repository_not_found',
    `${remote.name} answers with a redirect to ${target?.host ?? 'nowhere'}, which is not ` +
      "followed: name the repository's present address.",
  );
}

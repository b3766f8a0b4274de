import { fieldProblem } from '../errors.ts';

/** A person or a bot, as git names them. */
export interface Author {
  name: string;
  email: string;
}

/** Who the commits of a project's jobs name as author and committer. */
export interface CommitAuthor extends Author {
  /** Their messages have this author's `Signed-off-by`, the Developer Certificate of Origin. */
  signOff: boolean;
}

export interface AuthorChange {
  /** As git writes one, `Name <address>`; null: Docent. */
  commitAuthor?: string | null | undefined;
  signOff?: boolean | undefined;
}

/**
 * What a commit may hold in these places without meaning anything else there: no line ends, angle
 * brackets or characters that nobody sees. `[bot]` is how GitHub names its own.
 */
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} .,'’&()+_/[\]-]{0,98}[\p{L}\p{M}\p{N}.)\]])?$/u;
const ADDRESS =
  /^(?=.{3,254}$)[\w.%+[\]-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/;

/** `Name <address>`, as git writes an author. Throws `invalid_request`. */
function parseAuthor(text: string): Author {
  const [, name = '', email = ''] = /^([^<>]*?) *<([^<>]*)>$/.exec(text.trim()) ?? [];
  const composed = name.normalize('NFC');
  if (NAME.test(composed) && ADDRESS.test(email)) return { name: composed, email };
  throw fieldProblem(
    'commitAuthor',
    'must be a name and an e-mail address, as in Docs Bot <docs-bot@example.com>',
  );
}

/** The setting after a change; nothing if it stays. Throws `invalid_request`. */
export function changedAuthor(
  stored: CommitAuthor | null,
  { commitAuthor, signOff }: AuthorChange,
): { commitAuthor?: CommitAuthor | null } {
  if (commitAuthor === undefined && signOff === undefined) return {};
  const author = commitAuthor === undefined ? stored : commitAuthor && parseAuthor(commitAuthor);
  if (!author && signOff)
    throw fieldProblem('signOff', 'needs a commitAuthor: a person or bot of yours signs off');
  if (!author) return { commitAuthor: null };
  const { name, email } = author;
  return { commitAuthor: { name, email, signOff: signOff ?? stored?.signOff ?? false } };
}

/** The setting as the API and the dashboard show it. */
export function shownAuthor(stored: CommitAuthor | null): {
  commitAuthor: string | null;
  signOff: boolean;
} {
  return {
    commitAuthor: stored && `${stored.name} <${stored.email}>`,
    signOff: stored?.signOff ?? false,
  };
}

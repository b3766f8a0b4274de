import { Problem } from '../shared/errors.ts';

/** What the names of branches that Docent chooses begin with. */
export const BRANCH_PREFIX = 'docent/';

const MAX_SLUG = 40;
const MAX_BRANCH = 200;
const SHORT_ID = 6;
/** What git-check-ref-format(1) forbids anywhere in a name. */
const FORBIDDEN =
  /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|(^|\/)\.|\.(\/|$)|\.lock(\/|$)|^\/|\/$|^-|^@$/;

/** `docent/<slug of the instruction>-<short id>`: readable, and fixed before any model is asked. */
export function generateBranch(prompt: string, jobId: string): string {
  const words =
    prompt
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, MAX_SLUG) : `${slug}-${word}`;
    if (longer.length > MAX_SLUG) break;
    slug = longer;
  }
  return `${BRANCH_PREFIX}${slug || 'job'}-${jobId.slice(-SHORT_ID)}`;
}

/** Throws 400 if the branch that the caller names is invalid, or one that no job may work on. */
export function checkBranch(branch: string, reserved: readonly string[]): void {
  if (
    branch.length > MAX_BRANCH ||
    FORBIDDEN.test(branch) ||
    branch === 'HEAD' ||
    branch.startsWith('refs/')
  ) {
    throw refused('is not a valid git branch name');
  }
  if (reserved.includes(branch)) {
    throw refused(
      'is the base, the default or a protected branch of the repository; ' +
        'the agent works on a branch of its own',
    );
  }
}

function refused(message: string): Problem {
  return new Problem('invalid_request', `branch ${message}.`, {
    errors: [{ path: 'branch', message }],
  });
}

import type { ScriptedReply } from '../../support/scripted-model.ts';
import type { GitHubStandIn } from './stand-in.ts';
import type { Fault, Installation, Repository } from './state.ts';

export const nameOf = ({ owner, name }: Repository): string => `${owner}/${name}`;

export const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };
const tool = (name: string, input: object): ScriptedReply => ({ toolUses: [{ name, input }] });
const write = (text: string): ScriptedReply =>
  tool('str_replace_based_edit_tool', {
    command: 'str_replace',
    path: 'docs/guide.md',
    old_str: 'The first line.',
    new_str: text,
  });
const FINISH = tool('finish', { title: 'Change the line', body: 'As asked.', message: 'Done.' });
export const EDIT = [write('A line.'), FINISH];

const ALWAYS = 1_000;
const PULLS = /\/pulls$/;
const REPOSITORY = /\/repos\/[^/]+\/docs$/;
const PUSH = /git-receive-pack$/;

/** Where a row of the table happens. */
export interface Place {
  github: GitHubStandIn;
  repository: Repository;
  installation: Installation;
  script: ScriptedReply[];
}
export interface Outcome {
  status: string;
  haltReason: string;
  sentence: RegExp;
  pulls?: number;
}
/** A row of the table: what happens on GitHub, and what comes of it. */
export type Row = [string, (place: Place) => void, Outcome];

const repair = (sentence: RegExp): Outcome => ({
  status: 'failed',
  haltReason: 'repohost_missconfigured',
  sentence,
});
const error = (sentence: RegExp): Outcome => ({ status: 'failed', haltReason: 'error', sentence });
const completed = (pulls: number): Outcome => ({
  status: 'completed',
  haltReason: 'completed',
  sentence: /./,
  pulls,
});
const fail = ({ github, repository }: Place, fault: Fault): void =>
  github.fail({ of: repository, ...fault });
const fault =
  (path: RegExp, status: number, message = 'Server Error', more: Partial<Fault> = {}) =>
  (place: Place): void =>
    fail(place, { path, status, message, times: ALWAYS, ...more });
const refusePush = (reason: string) => onRepository({ refusePush: reason });
const onRepository =
  (change: Partial<Repository>) =>
  ({ repository }: Place): void => {
    Object.assign(repository, change);
  };
const onInstallation =
  (change: Partial<Installation>) =>
  ({ installation }: Place): void => {
    Object.assign(installation, change);
  };
const model =
  (...replies: ScriptedReply[]) =>
  ({ script }: Place): void => {
    script.splice(0, script.length, ...replies);
  };
const INTEGRATION = 'Resource not accessible by integration';
const SECONDARY =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';

export const ROWS: Record<string, Row[]> = {
  'the repository is missing, the App is not installed on it, or it may not be read': [
    [
      'gone',
      onRepository({ name: 'gone' }),
      repair(
        /not installed on acme\/docs, or there is no such repository: install the App there, or correct the name/,
      ),
    ],
    [
      'taken from the App',
      onInstallation({ repositories: [] }),
      repair(/not installed on acme\/docs/),
    ],
    [
      'not to be seen',
      fault(REPOSITORY, 404, 'Not Found'),
      repair(
        /has no repository acme\/docs, or the credentials may not see it: correct the name, or give/,
      ),
    ],
    [
      'not to be seen by git',
      fault(/git-upload-pack$/, 404),
      repair(/is not found, or the credentials may not see it/),
    ],
  ],
  'the credentials are wrong or expired, the installation is suspended': [
    [
      'an App that GitHub does not know',
      fault(/installation$/, 401, 'A JSON web token could not be decoded'),
      repair(/does not know the App: check GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY/),
    ],
    [
      'a token refused again',
      fault(REPOSITORY, 401, 'Bad credentials'),
      repair(
        /refuses the credentials for acme\/docs: they are wrong, expired or revoked; set new ones/,
      ),
    ],
    [
      'a token that ends on the way',
      fault(PUSH, 401, 'Bad credentials', { times: 1 }),
      completed(1),
    ],
    [
      'suspended',
      onInstallation({ suspended: true }),
      repair(/installation on acme\/docs is suspended: unsuspend it/),
    ],
    [
      'suspended on the way',
      fault(PULLS, 403, 'This installation has been suspended'),
      repair(/suspended: unsuspend it/),
    ],
  ],
  'a permission is missing': [
    [
      'of the installation',
      onInstallation({
        permissions: { contents: 'read', metadata: 'read', pull_requests: 'write' },
      }),
      repair(
        /lacks a permission on acme\/docs: give it read and write access to Contents and Pull requests/,
      ),
    ],
    [
      'for pull requests',
      fault(PULLS, 403, INTEGRATION, { method: 'POST' }),
      repair(/may not write to acme\/docs: give it read and write access/),
    ],
    [
      'for pushing',
      fault(PUSH, 403),
      repair(/may not push to acme\/docs: give it read and write access to Contents/),
    ],
    [
      'single sign-on',
      fault(REPOSITORY, 403, 'Resource protected by organization SAML enforcement.'),
      repair(/requires single sign-on: authorize the token/),
    ],
    [
      'an allow list',
      fault(
        REPOSITORY,
        403,
        'Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled',
      ),
      repair(/add Docent’s to its IP allow list/),
    ],
  ],
  'the repository is empty, or the base branch is missing': [
    [
      'empty',
      fault(/\/branches$/, 409, 'Git Repository is empty.'),
      repair(/acme\/docs has no commit yet: push one/),
    ],
    [
      'no base branch',
      ({ github, repository }) => {
        github.git(repository, 'branch', '-m', 'main', 'trunk');
      },
      repair(/has no branch main: correct the project’s base branch, or push it/),
    ],
  ],
  'the repository is archived, disabled, renamed or blocked': [
    ['archived', onRepository({ archived: true }), repair(/archived and read-only: unarchive it/)],
    [
      'archived before the push',
      fault(PUSH, 403, 'This repository was archived so it is read-only.'),
      repair(/may not push to acme\/docs/),
    ],
    [
      'archived before the pull request',
      fault(PULLS, 403, 'Repository was archived so is read-only.', { method: 'POST' }),
      repair(/archived and read-only/),
    ],
    [
      'disabled',
      onRepository({ disabled: true }),
      repair(/has disabled the repository acme\/docs: ask GitHub’s support/),
    ],
    [
      'renamed',
      ({ repository }) => {
        Object.assign(repository, { name: 'handbook', formerly: [nameOf(repository)] });
      },
      completed(1),
    ],
    [
      'moved to another host',
      fault(REPOSITORY, 301, 'Moved Permanently', {
        headers: { location: 'http://localhost:9/elsewhere' },
      }),
      repair(/to localhost:9, which is not followed: name the repository’s present address/),
    ],
    [
      'blocked',
      fault(REPOSITORY, 451, 'Repository access blocked'),
      repair(/blocked acme\/docs for legal reasons \(451\)/),
    ],
  ],
  'a push is refused': [
    [
      'by branch protection',
      refusePush('protected branch hook declined'),
      repair(/is protected: exempt Docent’s branches/),
    ],
    [
      'by branch protection, with its number',
      refusePush('GH006: Protected branch update failed'),
      repair(/is protected: exempt/),
    ],
    [
      'by a ruleset',
      refusePush('push declined due to repository rule violations'),
      repair(/A ruleset of acme\/docs forbids the push .* bypass it/),
    ],
    [
      'for want of the workflows permission',
      refusePush(
        'refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission',
      ),
      repair(/works without the workflows permission/),
    ],
    [
      'by push protection',
      refusePush('GH009: Secrets detected! push declined due to push protection'),
      repair(/sees a secret in the change of acme\/docs: take it out/),
    ],
    [
      'by a rule on addresses',
      refusePush('GH007: Your push would publish a private email address.'),
      repair(/refuses the author’s address/),
    ],
    [
      'by a hook',
      refusePush('pre-receive hook declined'),
      repair(/refuses the push to docent\/.*pre-receive hook declined/),
    ],
  ],
  'there is a pull request already, or nothing to open one for': [
    [
      'one that our own lost request made, on a list that lags behind',
      place => {
        fail(place, { method: 'GET', path: PULLS, status: 200, body: [], times: 2 });
        fail(place, { method: 'POST', path: PULLS, status: 502, after: true });
      },
      completed(1),
    ],
    [
      'no commits between',
      fault(PULLS, 422, '', {
        method: 'POST',
        body: {
          message: 'Validation Failed',
          errors: [
            {
              resource: 'PullRequest',
              code: 'custom',
              message: 'No commits between main and docent/x',
            },
          ],
        },
      }),
      completed(0),
    ],
    ['no edit', model(FINISH), completed(0)],
  ],
  'GitHub fails or limits us, and it passes': [
    [
      '5xx everywhere once',
      place => {
        for (const [path, method] of [
          [REPOSITORY, 'GET'],
          [/git-upload-pack$/, 'POST'],
          [PUSH, 'POST'],
          [PULLS, 'POST'],
        ] as const)
          fail(place, { path, method, status: 503 });
      },
      completed(1),
    ],
    [
      'cut, after the work',
      fault(PULLS, 0, '', { method: 'POST', after: true, times: 1 }),
      completed(1),
    ],
    [
      '429',
      fault(PULLS, 429, 'API rate limit exceeded', {
        method: 'POST',
        headers: { 'retry-after': '1' },
        times: 2,
      }),
      completed(1),
    ],
    [
      'the secondary limit',
      fault(PULLS, 403, SECONDARY, { method: 'POST', headers: { 'retry-after': '1' }, times: 1 }),
      completed(1),
    ],
  ],
  'GitHub fails or limits us, for longer than we wait': [
    [
      '500',
      fault(REPOSITORY, 500),
      error(/^GitHub answers with status 500: try again once it has recovered\.$/),
    ],
    [
      '502 on the pull request',
      fault(PULLS, 502, 'Bad Gateway', { method: 'POST' }),
      error(/status 502/),
    ],
    [
      '503 by git',
      fault(PUSH, 503),
      error(/^Repository acme\/docs answers with status 503: try again later\.$/),
    ],
    ['5xx on the App’s token', fault(/access_tokens$/, 504), error(/status 504/)],
    [
      '429 with a time',
      fault(PULLS, 429, 'API rate limit exceeded', { headers: { 'retry-after': '1' } }),
      error(/limiting our requests for acme\/docs \(429\): try again in a minute\.$/),
    ],
    [
      '429 by git',
      fault(PUSH, 429, 'slow down', { headers: { 'retry-after': '900' } }),
      error(/asks to slow down \(429\): try again later/),
    ],
    [
      'the secondary limit, without a time',
      fault(PULLS, 403, SECONDARY),
      error(/\(403\): try again in a minute/),
    ],
    [
      'the secondary limit, with one',
      fault(PULLS, 403, SECONDARY, { headers: { 'retry-after': '1800' } }),
      error(/\(403\): try again in 30 minutes/),
    ],
    [
      'the primary limit',
      place => {
        fail(place, {
          path: PULLS,
          status: 403,
          times: ALWAYS,
          message: 'API rate limit exceeded',
          headers: {
            'x-ratelimit-remaining': '0',
            'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 1_190),
          },
        });
      },
      error(/try again in 20 minutes/),
    ],
    ['no answer at all', fault(REPOSITORY, 0), repair(/^GitHub cannot be reached: /)],
  ],
  'not GitHub’s doing': [
    [
      'the model',
      model({ status: 401, errorType: 'authentication_error', message: 'invalid x-api-key' }),
      error(/ANTHROPIC_API_KEY/),
    ],
    [
      'our policy',
      // Refused when it is written, so there is nothing to publish.
      model(write(`Use ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)} here.`), FINISH),
      completed(0),
    ],
  ],
};

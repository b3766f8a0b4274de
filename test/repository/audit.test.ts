import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
/** What writes an act that the audit log contains. */
const ACTS =
  /\b(?:create|delete)(?:Organization|Project|Key|Invitation|SetupLink|ResetLink|User)\(|\b(?:updateProject|renameOrganization|rotateKey|revokeKey|withdrawInvitation|acceptInvitation|addMember|changeRole|setPasswordHash|linkIdentity|unlinkIdentity|claimInstallation|releaseInstallation|mergePullRequest|closePullRequest|cancelJob|archiveJob)\(/;
const RECORDS = /\b(?:recordAudit(?:OfUser|OfRepository)?|recordAround|recordEndOfJob)\(/;

const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'api', 'cli'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => path.endsWith('.ts'))
  .map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

it('every module that carries out an act records it', () => {
  const acting = sources.filter(({ text }) => {
    const calls = text.split('\n').filter(line => !/^(?:export )?(?:async )?function /.test(line));
    return ACTS.test(calls.join('\n'));
  });
  expect(acting.length).toBeGreaterThan(12);
  expect(acting.flatMap(({ path, text }) => (RECORDS.test(text) ? [] : [path]))).toEqual([]);
});

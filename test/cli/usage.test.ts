import { rm } from 'node:fs/promises';
import { docent, startDocent, temporaryFolder } from '../support/docent.ts';

// What a command says where it was given something wrong; none of these needs a running docent.
describe('a sentence for what is wrong', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const KNOWN = ['job', 'list', '--key', 'x', '--project', 'prj_y'];
  const NOBODY = 'http://127.0.0.1:1';
  const NO_DATABASE = 'postgres://docent:secret@127.0.0.1:1/docent';
  const UNREACHED =
    'The database of DATABASE_URL cannot be reached (connect ECONNREFUSED 127.0.0.1:1). ' +
    'Start its Postgres or correct the variable. ' +
    'Without the variable, "docent start" runs its own Postgres.';

  it.each([
    [
      'an option that is none',
      ['job', 'list', '--nope'],
      {},
      2,
      "error: unknown option '--nope'\n(see --help for the options)\n",
    ],
    [
      'a project by its domain',
      ['job', 'list', '--key', 'x', '--project', 'guides', '--base-url', NOBODY],
      {},
      2,
      '--project (PROJECT_ID) must be a project id, prj_…; got "guides". See "docent project list".\n',
    ],
    [
      'an address that is none',
      [...KNOWN, '--base-url', 'nonsense'],
      {},
      2,
      '--base-url must be a URL such as http://127.0.0.1:3000; got "nonsense".\n',
    ],
    [
      'an address of earlier',
      KNOWN,
      { BASE_URL: NOBODY },
      1,
      `${NOBODY} (from BASE_URL) does not answer. Is docent running there? ` +
        'Its port may have changed: load demo.env again.\n',
    ],
    [
      'a database where nobody answers',
      ['start'],
      { DATABASE_URL: NO_DATABASE },
      2,
      `${UNREACHED}\n`,
    ],
    [
      'a database to migrate where nobody answers',
      ['migrate'],
      { DATABASE_URL: NO_DATABASE, TEMPORAL_ADDRESS: '127.0.0.1:1' },
      2,
      `${UNREACHED}\n`,
    ],
  ])('%s', async (_what, args, env, code, stderr) => {
    expect(await docent(folder, args, env as Record<string, string>)).toEqual({
      code,
      stdout: '',
      stderr,
    });
  });

  it('an API waits for its database, and says so', async () => {
    const running = startDocent(folder, ['api'], {
      DATABASE_URL: NO_DATABASE,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      PORT: '0',
    });
    try {
      await running.prints(/The database of DATABASE_URL cannot be reached/);
    } finally {
      running.process.kill('SIGKILL');
      await running.ended;
    }
    expect(running.output()).not.toContain('secret');
  }, 60_000);
});

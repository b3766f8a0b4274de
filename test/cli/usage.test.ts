import { rm } from 'node:fs/promises';
import { docent, temporaryFolder } from '../support/docent.ts';

// What a command says where it was given something wrong; none of these needs a running docent.
describe('a sentence for what is wrong', () => {
  let folder: string;
  beforeAll(async () => { folder = await temporaryFolder(); });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const KNOWN = ['job', 'list', '--key', 'x', '--project', 'y'];
  const NOBODY = 'http://127.0.0.1:1';

  it.each([
    ['an option that is none', ['job', 'list', '--nope'], {}, 2, 'error: unknown option \'--nope\'\n(--help shows the options)\n'],
    ['a command that is none', ['nope'], {}, 2, 'error: unknown command \'nope\'\n(--help shows the options)\n'],
    ['an address that is none', [...KNOWN, '--base-url', 'nonsense'], {}, 2, '--base-url takes an address such as http://127.0.0.1:3000; got "nonsense".\n'],
    ['a variable that is no address', KNOWN, { BASE_URL: '127.0.0.1:3000' }, 2, 'BASE_URL takes an address such as http://127.0.0.1:3000; got "127.0.0.1:3000".\n'],
    ['an address where nobody answers', [...KNOWN, '--base-url', `${NOBODY}/`], {}, 1, `${NOBODY} (from --base-url) does not answer. Is docent running there?\n`],
    ['an address of earlier', KNOWN, { BASE_URL: NOBODY }, 1, `${NOBODY} (from BASE_URL) does not answer. Is docent running there? It may have moved: load demo.env again.\n`],
  ])('%s', async (_what, args, env, code, stderr) => {
    expect(await docent(folder, args, env as Record<string, string>)).toEqual({ code, stdout: '', stderr });
  });
});

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { docent, temporaryFolder } from '../support/docent.ts';

describe('docent demo', () => {
  let folder: string;
  beforeEach(async () => { folder = await temporaryFolder(); });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('shows an instruction and a follow-up become one pull request, and stops when asked to', async () => {
    const { code, stdout, stderr } = await docent(join(folder, 'data'), ['demo', '--exit']);
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
    const links = [...stdout.matchAll(/^Pull request (\S+)/gm)].map(([, link]) => link);
    expect(links).toHaveLength(2);
    expect(links[1]).toBe(links[0]);
    expect(stdout).toMatch(/· create docs\/faq\.md[^]*pull request opened[^]*\+Answers to what people ask first\./);
    expect(stdout).toMatch(/A follow-up[^]*pull request updated[^]*\+## Does it need an account\?/);
  }, 120_000);
});

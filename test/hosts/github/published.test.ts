import { byToken } from './client.ts';
import { checkRequest, publishedAnswer } from './published/validate.ts';
import { startGitHub } from './stand-in.ts';

const REPOSITORY = '/repos/acme/docs';

describe('the stand-in, held against GitHub’s published schemas', () => {
  it('fails the test that it answers wrongly, and its end', async () => {
    const github = await startGitHub();
    const repository = github.addRepository('acme/docs', { 'index.md': '# Start\n' });
    repository.defaultBranch = 7 as never;
    await expect(
      byToken(github).describe({ host: 'github', repository: 'acme/docs' }),
    ).rejects.toThrow('/default_branch must be string');
    await expect(github.stop()).rejects.toThrow('/default_branch must be string');
  });

  it.each<[string, () => unknown, string]>([
    [
      'a member that GitHub does not have',
      () =>
        publishedAnswer('GET', `${REPOSITORY}/branches`, 200, [{ name: 'main', protectd: true }]),
      'protectd',
    ],
    [
      'a member of another kind',
      () => publishedAnswer('GET', `${REPOSITORY}/pulls/1`, 200, { number: '1' }),
      'body/number must be integer',
    ],
    [
      'a refusal without its form',
      () =>
        publishedAnswer('POST', `${REPOSITORY}/pulls`, 422, {
          message: 'No',
          documentation_url: '',
          errors: [{ resource: 7 }],
        }),
      'body/errors/0/resource',
    ],
    [
      'a status that GitHub never answers',
      () => publishedAnswer('POST', `${REPOSITORY}/pulls`, 200, {}),
      'status 200',
    ],
    [
      'an operation that is not GitHub’s',
      () => publishedAnswer('GET', `${REPOSITORY}/branch`, 200, {}),
      'no GET /repos/acme/docs/branch',
    ],
    [
      'a request that GitHub would not take',
      () => checkRequest('POST', `${REPOSITORY}/pulls`, { title: 'T', head: 'a' }),
      "must have required property 'base'",
    ],
  ])('knows %s', (_, wrong, sentence) => {
    expect(wrong).toThrow(sentence);
  });

  it('completes what nobody gave a value', () => {
    expect(
      publishedAnswer('GET', `${REPOSITORY}/branches/a/b`, 200, { name: 'a/b' }),
    ).toMatchObject({ name: 'a/b', protected: false, commit: { sha: '' } });
  });
});

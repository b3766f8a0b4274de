import { gitHubSite, repositoryAt, repositoryName } from '../../../hosts/github/site.ts';

it.each([
  ['https://api.github.com', 'https://api.github.com', 'https://github.com'],
  ['https://api.acme.ghe.com/', 'https://api.acme.ghe.com', 'https://acme.ghe.com'],
  [
    'https://github.example.com/api/v3/',
    'https://github.example.com/api/v3',
    'https://github.example.com',
  ],
  [
    'http://localhost:8080/git/api/v3',
    'http://localhost:8080/git/api/v3',
    'http://localhost:8080/git',
  ],
])('the API at %s', (given, apiUrl, webUrl) => {
  expect(gitHubSite(given)).toEqual({ apiUrl, webUrl });
});

it('refuses what is no address, naming the setting', () => {
  expect(() => gitHubSite('github')).toThrow('GITHUB_API_URL');
});

it.each<[string, string | undefined]>([
  ['https://github.com/acme/docs', 'acme/docs'],
  ['https://GitHub.com/acme/docs.git/', 'acme/docs'],
  ['git@github.com:acme/docs.git', 'acme/docs'],
  ['ssh://git@github.com/acme/do.cs', 'acme/do.cs'],
  ['https://github.com.evil.example/acme/docs', undefined],
  ['https://evil.example/github.com/acme/docs', undefined],
  ['https://github.com/acme/docs/tree/main', undefined],
  ['https://github.com/acme/..', undefined],
  ['../docs', undefined],
])('%s is repository %s', (address, name) => {
  expect(repositoryAt(gitHubSite('https://api.github.com'), address)).toBe(name);
});

it.each(['acme', 'acme/docs/x', './docs', 'acme/..', 'acme/do cs', ''])('%j is no name', name => {
  expect(repositoryName(name)).toBeUndefined();
});

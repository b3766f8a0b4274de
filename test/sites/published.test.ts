import { projectSite } from '../../sites/project-site.ts';
import { compareSite } from '../../sites/published/compare-site.ts';
import { comparisonText } from '../../sites/published/comparison-text.ts';
import { withAddresses } from '../../sites/published/with-addresses.ts';
import { describeSite } from '../../search/site/describe-site.ts';
import { sourceOf } from '../support/site-files.ts';

/** Files with their published addresses; null: not published. A title makes each page another one. */
function compare(
  published: Record<string, string | null>,
  more: Record<string, string> = {},
  { docsFolder, addresses = [] as string[] }: { docsFolder?: string; addresses?: string[] } = {},
) {
  const pages = Object.keys(published).map((file, i) => [file, more[file] ?? `# Title ${i}\n`]);
  const source = sourceOf({ ...more, ...(Object.fromEntries(pages) as Record<string, string>) });
  const wanted = docsFolder === undefined ? {} : { docsFolder };
  const seen = {
    siteUrl: 'https://acme.example',
    isList: true,
    pages: [...Object.values(published).filter(path => path !== null), ...addresses].map(path => ({
      ...{ path, title: null, digest: 'x' },
    })),
  };
  const { site, kind } = projectSite(source, wanted);
  const compared = compareSite(source, site, kind.isPlain ?? false, seen);
  const known = withAddresses(source, site, compared.addresses);
  const urls = Object.fromEntries([
    ...known.pages.map(({ file, url }) => [file, url]),
    ...compared.others.map(({ page }) => [page.file, page.url]),
  ]) as Record<string, string>;
  return { compared, known, urls, described: describeSite(source, wanted, seen) };
}

const expected = (published: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(published).filter(([, path]) => path !== null));

describe('the addresses of a published site', () => {
  it.each<[string, Record<string, string | null>, Record<string, string>]>([
    [
      'Nextra: pages of folders, and groups in parentheses',
      {
        'app/docs/page.mdx': '/docs',
        'app/docs/guide/page.mdx': '/docs/guide',
        'app/docs/guide/start/page.mdx': '/docs/guide/start',
        'app/(more)/about/page.mdx': '/about',
        'app/api/page.mdx': '/api',
      },
      { 'next.config.mjs': "import nextra from 'nextra'" },
    ],
    [
      'Jekyll: numbers, small letters, dashes and permalinks',
      {
        'docs/index.md': '/',
        'docs/01_Guide/02_First Steps.md': '/guide/first-steps/',
        'docs/01_Guide/03_Next Steps.md': '/guide/next-steps/',
        'docs/02_Reference/Big API.md': '/reference/big-api/',
        'docs/02_Reference/Small API.md': '/reference/small-api/',
        'docs/odd.md': '/somewhere/else/',
      },
      {
        'docs/_config.yml': '',
        'docs/odd.md': '---\npermalink: /somewhere/else/\n---\n# Odd\n',
      },
    ],
    [
      'Antora: folders of modules, in another format',
      {
        'docs/modules/ROOT/pages/index.adoc': '/acme/2.0/index.html',
        'docs/modules/ROOT/pages/install.adoc': '/acme/2.0/install.html',
        'docs/modules/ROOT/pages/deploy.adoc': '/acme/2.0/deploy.html',
        'docs/modules/api/pages/users.adoc': '/acme/2.0/api/users.html',
        'docs/modules/api/pages/teams.adoc': '/acme/2.0/api/teams.html',
      },
      { 'docs/antora.yml': 'name: acme', 'docs/README.md': '# Docs\n' },
    ],
    [
      'a base path, and translations of which the first has no folder',
      {
        'docs/en/index.md': '/base/',
        'docs/en/install.md': '/base/install',
        'docs/en/deploy.md': '/base/deploy',
        'docs/fr/index.md': '/base/fr/',
        'docs/fr/install.md': '/base/fr/install',
        'docs/fr/deploy.md': '/base/fr/deploy',
      },
      {},
    ],
  ])('%s', (_, published, more) => {
    const { urls } = compare(published, more, {
      docsFolder: Object.keys(published)[0]!.split('/')[0]!,
    });
    for (const [file, path] of Object.entries(expected(published)))
      expect({ file, path: urls[file]?.replace(/(?<=.)\/$/, '') }).toEqual({
        file,
        path: path!.replace(/(?<=.)\/$/, ''),
      });
  });

  it('are those of the rule for a page that is not published yet', () => {
    const published = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f'].map(name => [`docs/${name}.md`, `/help/${name}.html`]),
    );
    const { known } = compare({ ...published, 'docs/new.md': null }, {}, { docsFolder: 'docs' });
    expect(known.pages.find(({ file }) => file === 'docs/new.md')?.url).toBe('/help/new.html');
    expect(known.addressRule).toBe(
      'Learned from the published site: docs/ is /help/, addresses end in .html.',
    );
    expect(known.resolve('/help/a.html#x', 'docs/b.md')).toMatchObject({
      kind: 'page',
      page: { file: 'docs/a.md' },
    });
  });

  it('leave out folders that the site publishes nothing of, and count what has no file', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const published = Object.fromEntries(names.map(name => [`docs/${name}.md`, `/${name}`]));
    const parts = Object.fromEntries(
      names.slice(0, 5).map(name => [`docs/parts/${name}.md`, null]),
    );
    const { compared, described } = compare(
      { ...published, ...parts },
      {},
      {
        docsFolder: 'docs',
        addresses: ['/team'],
      },
    );
    expect(described.facts.pages).toBe(7);
    expect(compared).toMatchObject({ pages: 12, right: 7, withoutFile: ['/team'] });
    expect(comparisonText(described.facts.published!)).toBe(
      '7 of 12 pages are where we say, 5 are not in what the site lists; ' +
        '1 address has no file, such as /team.',
    );
  });

  it('do not replace a rule that is right', () => {
    const { compared } = compare(
      { 'docs/a.md': '/a', 'docs/b/README.md': '/b/' },
      {},
      { docsFolder: 'docs' },
    );
    expect(compared.addresses).toEqual({ rule: null, files: {}, readAtSite: 0 });
  });
});

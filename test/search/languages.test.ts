import { type TestDatabase, testDatabase } from '../support/services.ts';
import { page, testSite } from './site.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const TEXTS = {
  en: ['Install the theme', 'Run the okapi command to install the theme on your site.'],
  fr: ['Installer le thème', 'Lancez la commande okapi pour installer le thème sur votre site.'],
  de: ['Das Thema einrichten', 'Mit dem Befehl okapi richten Sie das Thema auf Ihrer Seite ein.'],
  'zh-CN': ['安装主题', '运行 okapi 命令，在您的网站上安装主题。'],
} as const;
const QUESTIONS = {
  en: 'How do I install the theme with okapi?',
  fr: 'Comment installer le thème avec okapi ?',
  de: 'Wie richte ich das Thema mit okapi ein?',
  'zh-CN': '如何用 okapi 安装主题？',
} as const;
const TAGS = ['en', 'fr', 'de', 'zh-CN'] as const;

const textOf = (tag: keyof typeof TEXTS) => page(TEXTS[tag][0], TEXTS[tag][1]);
/** Where the default language is at the top, and each other one in a folder. */
const files = (folder: string) =>
  Object.fromEntries(
    TAGS.map(tag => [`${folder}/${tag === 'en' ? '' : `${tag}/`}install.md`, textOf(tag)]),
  );
const only = { 'only.md': page('Only', 'The okapi gnu is not translated, and a command.') };

const SITES: Record<string, Record<string, string>> = {
  'docs.json': {
    ...files('docs'),
    'docs/only.md': only['only.md'],
    'docs/docs.json': JSON.stringify({
      navigation: {
        languages: TAGS.map(language => ({
          language,
          pages: [
            language === 'en' ? 'install' : `${language}/install`,
            ...(language === 'en' ? ['only'] : []),
          ],
        })),
      },
    }),
  },
  VitePress: {
    ...files('docs'),
    'docs/only.md': only['only.md'],
    'docs/.vitepress/config.ts': `export default { locales: {
      root: { label: 'English', lang: 'en' }, fr: { label: 'Français', lang: 'fr' },
      de: { label: 'Deutsch', lang: 'de' }, 'zh-CN': { label: '中文', lang: 'zh-CN' } } };`,
  },
  'a plain folder': { ...files('docs'), 'docs/only.md': only['only.md'] },
};

describe.each(Object.entries(SITES))('languages of %s', (_kind, site) => {
  const pathOf = (tag: keyof typeof TEXTS) => (tag === 'en' ? '/install' : `/${tag}/install`);

  it('find a page once: in the language of the current page, else of the question', async () => {
    const one = await testSite(database.pool);
    await one.index(site);
    for (const tag of TAGS) {
      const found = await one.paths(QUESTIONS[tag]);
      expect([tag, found.filter(path => path.endsWith('/install'))]).toEqual([tag, [pathOf(tag)]]);
      // Pages that are not translated are in the default language.
      expect(found).toContain('/only');
      const here = await one.paths('okapi', { currentPath: pathOf(tag) });
      expect(here.filter(path => path.endsWith('/install'))).toEqual([pathOf(tag)]);
    }
    expect((await one.paths('okapi')).filter(path => path.endsWith('/install'))).toEqual([
      '/install',
    ]);
    expect(await one.paths(QUESTIONS.en, { currentPath: '/fr/install' })).toContain('/fr/install');
    expect(await one.paths(QUESTIONS.fr, { filter: { language: 'de' } })).toEqual(['/de/install']);
    for (const language of ['zh', 'zh_cn', 'ZH-CN'])
      expect(await one.paths('okapi', { filter: { language } })).toEqual(['/zh-CN/install']);
  });
});

describe('folders of a plain folder that are named as languages are', () => {
  it.each([
    [
      'pages of commands',
      { ps: 'Lists the wombats of this machine.', rm: 'Removes the wombats that you name.' },
    ],
    [
      'departments',
      {
        'it/onboarding': 'Collect the laptop for the wombat on the first day.',
        'hr/onboarding': 'Sign the contract of the wombat, and keep a copy of it.',
      },
    ],
    [
      'departments of a Portuguese company',
      {
        'it/entrada': 'Você recebe o computador do wombat e uma senha para o primeiro dia.',
        'hr/entrada': 'Você assina o contrato do wombat e recebe uma cópia do documento.',
      },
    ],
    [
      'parts of an API, with scripts of their own',
      { ml: 'The wombat learns from data.', av: 'The wombat shows pictures and sound.' },
    ],
  ])('%s are none', async (_case, texts) => {
    const one = await testSite(database.pool);
    await one.index(
      Object.fromEntries(
        Object.entries(texts).map(([path, text]) => [`docs/${path}.md`, page(path, text)]),
      ),
    );
    expect((await one.paths('wombat')).toSorted()).toEqual(
      Object.keys(texts)
        .map(path => `/${path}`)
        .toSorted(),
    );
  });
});

describe('versions of docs.json', () => {
  it('are found when they are asked for; else the newest', async () => {
    const one = await testSite(database.pool);
    const versions = ['v1', 'v10', 'v9', 'v11-beta'];
    await one.index({
      ...Object.fromEntries(
        versions.flatMap(version =>
          ['a', 'b'].map(name => [`docs/${version}/${name}.md`, page(name, 'The okapi.')]),
        ),
      ),
      'docs/docs.json': JSON.stringify({
        navigation: {
          versions: versions.map(version => ({
            version,
            pages: [`${version}/a`, `${version}/b`],
          })),
        },
      }),
    });
    expect(await one.paths('okapi')).toEqual(['/v10/a', '/v10/b']);
    expect(await one.paths('okapi', { filter: { version: 'v9' } })).toEqual(['/v9/a', '/v9/b']);
    for (const version of ['v1', 'v11-beta'])
      expect(await one.paths('okapi', { currentPath: `/${version}/b` })).toEqual([
        `/${version}/b`,
        `/${version}/a`,
      ]);
    expect(await one.paths('okapi', { currentPath: '/v1/a', filter: { version: 'v9' } })).toEqual([
      '/v9/a',
      '/v9/b',
    ]);
  });
});

describe('versions of Docusaurus', () => {
  it('are that of the current page, with the pages that have none', async () => {
    const one = await testSite(database.pool, { docsFolder: '' });
    await one.index({
      'docusaurus.config.js': 'export default { presets: [["classic", {}]] };',
      'versions.json': '["2.0", "1.0"]',
      'docs/install.md': page('Install', 'The okapi of the future.'),
      'versioned_docs/version-2.0/install.md': page('Install', 'The okapi.'),
      'versioned_docs/version-1.0/install.md': page('Install', 'The okapi of old.'),
      'versioned_docs/version-1.0/legacy.md': page('Legacy', 'Turn on the quagga.'),
      'src/pages/about.md': page('About', 'Whom the okapi belongs to.'),
    });
    expect(await one.paths('okapi')).toEqual(['/docs/install', '/about']);
    for (const path of ['/docs/1.0/install', '/docs/next/install'])
      expect(await one.paths('okapi', { currentPath: path })).toEqual([path, '/about']);
    expect(await one.paths('quagga')).toEqual([]);
    expect(await one.paths('quagga', { currentPath: '/docs/1.0/install' })).toEqual([
      '/docs/1.0/legacy',
    ]);
  });
});

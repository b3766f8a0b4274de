import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { readIndexState } from '../../db/search/index-state.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';
import { publishedProject } from '../search/published-project.ts';
import { emptyCopy, siteCopy } from './build.ts';
import { filesOf, fixtureFolder, QUESTIONS } from './fixture-sites.ts';
import { installGenerator, installPackages } from './install.ts';
import type { Generator } from './packages.ts';

const wanted = process.env.GENERATORS ?? '';
const ifWanted = (name: string) =>
  wanted === 'all' || wanted.split(',').includes(name) ? it : it.skip;
const MINUTES = 60_000;
/** One that no kind reads. */
const VUEPRESS: Generator = {
  from: 'npm',
  packages: {
    vuepress: '2.0.0-rc.26',
    '@vuepress/bundler-vite': '2.0.0-rc.26',
    '@vuepress/theme-default': '2.0.0-rc.120',
    'sass-embedded': '1.108.2',
    vue: '3.5.45',
  },
};

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Every file of a built site, by its path. */
function builtFiles(folder: string, base: string): Record<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names
      .filter(each => each.isFile())
      .map(each => join(each.parentPath, each.name))
      .map(file => [base + file.slice(folder.length), readFileSync(file)]),
  );
}

function write(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The project once its site was looked at, and what a citation of a question leads to. */
async function lookedAt(
  built: string,
  files: Record<string, string>,
  docsFolder: string,
  base = '',
) {
  const project = await publishedProject(database.pool, builtFiles(built, base), files, {
    docsFolder,
  });
  await project.settle();
  const facts = (await readIndexState(database.pool, project.id))!.site;
  const cited = async (question: string) => {
    const [found] = await project.find(question);
    if (!found) return { status: 0, hasAnchors: false, url: '' };
    const response = await fetch(found.url, { redirect: 'manual' });
    const text = await response.text();
    const anchors = found.sections.flatMap(({ anchor }) => anchor ?? []);
    const hasAnchors = anchors.every(anchor => text.includes(`id="${anchor}"`));
    return { status: response.status, hasAnchors, url: found.url.slice(project.site.url.length) };
  };
  return { ...project, facts, cited };
}

const RST = {
  'docs/conf.py': "project = 'Acme'\nextensions = []\n",
  'docs/index.rst': 'Acme\n====\n\n.. toctree::\n\n   guide/install\n   guide/deploy\n',
  'docs/guide/install.rst':
    'Install\n=======\n\nSet up the walrus.\n\nStep one\n--------\n\nFeed the walrus with herring.\n',
  'docs/guide/deploy.rst': 'Deploy\n======\n\nShip the narwhal.\n\n.. note:: It is *cold*.\n',
};

const VUEPRESS_SITE = {
  'docs/.vuepress/config.js': `import { viteBundler } from '@vuepress/bundler-vite';
    import { defaultTheme } from '@vuepress/theme-default';
    export default { bundler: viteBundler(), theme: defaultTheme({ navbar: ['/guide/', '/guide/install.html', '/about.html', '/elsewhere/'] }) };`,
  'docs/README.md': '# Start\n\nThe pelican greets you. [Guide](./guide/README.md)\n',
  'docs/guide/README.md': '# Guide\n\nAll of the quokka.\n',
  'docs/guide/install.md': '# Install\n\nSet up the walrus.\n\n## Step one\n\nFeed the walrus.\n',
  'docs/about.md': '# About\n\nMade by a wombat.\n',
  'docs/odd.md': '---\npermalink: /elsewhere/\n---\n\n# An odd one\n\nLook at the axolotl.\n',
};

describe('a published site that a generator has built', () => {
  ifWanted('sphinx')(
    'of reStructuredText is read where it is published',
    async () => {
      const copy = siteCopy('sphinx', await installGenerator('sphinx'));
      emptyCopy(copy);
      write(copy.folder, RST);
      await copy.build();
      const one = await lookedAt(copy.output, RST, 'docs');
      expect(one.facts).toMatchObject({ kind: 'sphinx', pages: 3 });
      expect(one.facts.unreadPages).toBe(
        '3 pages are read as the site publishes them: they cannot be edited here.',
      );
      for (const question of ['walrus herring', 'narwhal'])
        expect(await one.cited(question)).toMatchObject({ status: 200, hasAnchors: true });
      expect((await one.find('herring'))[0]).toMatchObject({
        title: 'Install',
        sections: expect.arrayContaining([expect.objectContaining({ anchor: 'step-one' })]),
      });
      one.site.close();
      copy.remove();
    },
    20 * MINUTES,
  );

  ifWanted('vuepress')(
    'of a generator that is not known is learned from what it publishes',
    async () => {
      const generator = await installPackages('vuepress', VUEPRESS);
      const folder = mkdtempSync(join(generator, 'site-'));
      write(folder, VUEPRESS_SITE);
      const program = join(generator, 'node_modules', '.bin', 'vuepress');
      await promisify(execFile)(program, ['build', 'docs'], { cwd: folder, timeout: 5 * MINUTES });
      const one = await lookedAt(join(folder, 'docs/.vuepress/dist'), VUEPRESS_SITE, 'docs');
      expect(one.facts).toMatchObject({ kind: 'folder', generator: 'VuePress', unread: [] });
      expect(one.facts.addressRule).toContain('Learned from the published site');
      expect(one.facts.published).toMatchObject({ pages: 5, right: 5 });
      for (const [question, url] of [
        ['quokka', '/guide/'],
        ['walrus', '/guide/install.html'],
        ['wombat', '/about.html'],
        ['axolotl', '/elsewhere/'],
      ] as const)
        expect(await one.cited(question)).toEqual({ status: 200, hasAnchors: true, url });
      one.site.close();
      rmSync(folder, { recursive: true, force: true });
    },
    20 * MINUTES,
  );

  ifWanted('mkdocs')(
    'with other settings than those of its repository wins',
    async () => {
      const copy = siteCopy('mkdocs', await installGenerator('mkdocs'));
      emptyCopy(copy);
      cpSync(fixtureFolder('mkdocs'), copy.folder, { recursive: true });
      const config = join(copy.folder, 'mkdocs.yml');
      writeFileSync(config, `use_directory_urls: false\n${readFileSync(config, 'utf8')}`);
      await copy.build();
      const files = filesOf(fixtureFolder('mkdocs'));
      const one = await lookedAt(copy.output, files, 'docs', '/harbor');
      expect(one.facts.published?.elsewhere).toBeGreaterThan(0);
      for (const question of QUESTIONS) {
        const { status, url } = await one.cited(question);
        expect({ question, url, status }).toEqual({ question, url, status: 200 });
      }
      one.site.close();
      copy.remove();
    },
    20 * MINUTES,
  );
});

import type { NavigationEdit } from '../../../agent/navigation/navigation-edit.ts';
import { editSite } from '../../support/navigation-edits.ts';
import { page, type SiteFiles } from '../../support/site-files.ts';

const CONFIG = `import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';

export default defineConfig({
	site: 'https://docs.example.com',
	integrations: [
		starlight({
			title: 'Docs',
			sidebar: [
				{
					label: 'Start here',
					items: [
						// By slug.
						'install',
						{ label: 'Use it', slug: 'guides/use' },
						{ label: 'Link', link: '/guides/link/' },
					],
				},
				{
					label: 'Reference',
					autogenerate: { directory: 'reference' },
				},
			],
		}),
	],
});
`;
const FOLDER = 'src/content/docs';
const FILES: SiteFiles = {
  'astro.config.mjs': CONFIG,
  [`${FOLDER}/index.md`]: page({ title: 'Home' }),
  [`${FOLDER}/install.md`]: page({ title: 'Install' }),
  [`${FOLDER}/guides/use.md`]: page({ title: 'Use' }),
  [`${FOLDER}/guides/link.md`]: page({ title: 'Link' }),
  [`${FOLDER}/guides/new.mdx`]: page({ title: 'New' }),
  [`${FOLDER}/reference/a.md`]: page({ title: 'A', sidebar: { order: 1 } }),
  [`${FOLDER}/reference/b.md`]: page({ title: 'B', sidebar: { order: 4 } }),
  [`${FOLDER}/reference/c.md`]: '---\ntitle: C\nsidebar:\n  label: See # short\n---\n',
};

const edited = (edit: NavigationEdit, files = FILES) => editSite(files, edit);
const move = (from: string, to: string): NavigationEdit => ({
  kind: 'move-page',
  from: `${FOLDER}/${from}`,
  to: `${FOLDER}/${to}`,
  newPath: null,
  redirect: true,
});

describe('Starlight: a page is added', () => {
  it('as a slug beside the pages of its folder', () => {
    const { texts, otherChanges } = edited({ kind: 'add-page', file: `${FOLDER}/guides/new.mdx` });
    expect(texts).toEqual({
      'astro.config.mjs': CONFIG.replace(
        "link: '/guides/link/' },\n",
        "link: '/guides/link/' },\n\t\t\t\t\t\t'guides/new',\n",
      ),
    });
    expect(otherChanges).toEqual([]);
  });

  it('with a title, behind another entry', () => {
    const position = { after: { title: 'use it' } };
    const edit = { kind: 'add-page', file: `${FOLDER}/guides/new.mdx`, title: 'Newer', position };
    expect(edited(edit as NavigationEdit).texts['astro.config.mjs']).toContain(
      "slug: 'guides/use' },\n\t\t\t\t\t\t{ label: 'Newer', slug: 'guides/new' },\n",
    );
  });

  it('in a folder that Starlight lists, by sidebar.order', () => {
    const position = { after: { title: 'A' } };
    const { texts } = edited({ kind: 'add-page', file: `${FOLDER}/reference/c.md`, position });
    expect(texts).toEqual({
      [`${FOLDER}/reference/c.md`]:
        '---\ntitle: C\nsidebar:\n  order: 2\n  label: See # short\n---\n',
    });
  });

  it('not in a group that lists another folder', () => {
    const position = { group: ['Reference'], at: 'end' } as const;
    const { refused } = edited({ kind: 'add-page', file: `${FOLDER}/guides/new.mdx`, position });
    expect(refused).toContain(`Put the page into ${FOLDER}/reference`);
  });

  it('is named without its language', () => {
    const config = CONFIG.replace(
      "title: 'Docs',",
      "title: 'Docs', defaultLocale: 'en', locales: { en: { label: 'English' } },",
    );
    const files = {
      'astro.config.mjs': config,
      [`${FOLDER}/en/install.md`]: page({ title: 'Install' }),
      [`${FOLDER}/en/second.md`]: page({ title: 'Second' }),
    };
    const { texts } = edited({ kind: 'add-page', file: `${FOLDER}/en/second.md` }, files);
    expect(texts['astro.config.mjs']).toContain("'install',\n\t\t\t\t\t\t'second',\n");
  });
});

describe('Starlight: a page moves or goes away', () => {
  it('is listed beside the pages of its new folder when it leaves a folder that Starlight lists', () => {
    const { texts, left, otherChanges } = edited(move('reference/a.md', 'guides/a.md'));
    expect(texts['astro.config.mjs']).toContain(
      "link: '/guides/link/' },\n\t\t\t\t\t\t'guides/a',\n",
    );
    expect([left, otherChanges]).toEqual([[], []]);
    const within = edited(move('reference/a.md', 'reference/deep/a.md'));
    expect(within.texts['astro.config.mjs']).not.toContain("'reference/deep/a',");
  });

  it('leaves a redirect, in a list that is new', () => {
    const { texts, otherChanges } = edited(move('guides/link.md', 'guides/linked.md'));
    expect(texts['astro.config.mjs']).toBe(
      CONFIG.replace('/guides/link/', '/guides/linked/').replace(
        '\t],\n});',
        "\t],\n\tredirects: { '/guides/link': '/guides/linked/' },\n});",
      ),
    );
    expect(otherChanges).toEqual([]);
  });

  it('adds to a list of redirects, and moves those that lead to the page', () => {
    const config = CONFIG.replace(
      "\tsite: 'https://docs.example.com',\n",
      "\tredirects: {\n\t\t'/old': '/install/',\n\t\t'/older': { status: 302, destination: '/install' },\n\t},\n",
    );
    const { texts } = edited(move('install.md', 'set-up.md'), {
      ...FILES,
      'astro.config.mjs': config,
    });
    expect(texts['astro.config.mjs']).toContain(
      "\t\t'/old': '/set-up/',\n\t\t'/older': { status: 302, destination: '/set-up/' },\n\t\t'/install': '/set-up/',\n\t},\n",
    );
    expect(texts['astro.config.mjs']).toContain("'set-up',");
  });

  it("leaves the host's redirects alone, and says so", () => {
    const { texts, left } = edited(move('install.md', 'set-up.md'), {
      ...FILES,
      'public/_redirects': '/a /b\n',
    });
    expect(texts['astro.config.mjs']).toBe(CONFIG.replace("'install'", "'set-up'"));
    expect(left.join()).toContain('public/_redirects is read by the host');
  });

  it('takes its entry away', () => {
    const { texts } = edited({ kind: 'remove-page', file: `${FOLDER}/install.md` });
    expect(texts['astro.config.mjs']).toBe(CONFIG.replace("\t\t\t\t\t\t'install',\n", ''));
  });

  it('gives a slug a title', () => {
    const entry = { file: `${FOLDER}/install.md` };
    const { texts } = edited({ kind: 'rename-entry', entry, title: 'Set up' });
    expect(texts['astro.config.mjs']).toBe(
      CONFIG.replace("'install',", "{ label: 'Set up', slug: 'install' },"),
    );
  });
});

import { NAVIGATION } from '../../../agent/navigation/registry.ts';
import { readSite } from '../../../sites/kinds/registry.ts';
import { sourceOf } from '../../support/site-files.ts';

/** What a text of a navigation file changes beside the navigation. */
function changes(file: string, before: string, after: string, more: Record<string, string> = {}) {
  const source = sourceOf({ ...more, [file]: before });
  const site = readSite(source);
  if (!site) throw new Error('No site was found.');
  return NAVIGATION[site.kind].otherChanges(site, file, before, after);
}

const VITEPRESS = `import { defineConfig } from 'vitepress';
import { more } from './more';
export default defineConfig({
  title: 'X',
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
  themeConfig: {
    sidebar: [{ text: '<b>A</b>', link: '/a' }, ...more],
  },
});
`;
const vitepress = (from: string, to: string) =>
  changes('.vitepress/config.ts', VITEPRESS, VITEPRESS.replace(from, to), { 'a.md': '' });

describe('a changed configuration of VitePress', () => {
  it.each([
    ["link: '/a' }", "link: '/b' }"],
    ["{ text: '<b>A</b>', link: '/a' }, ", ''],
    ['...more]', "...more, { text: 'C', items: [{ text: 'D', link: 'https://example.com' }] }]"],
    [
      'sidebar: [',
      "// Comments are free.\n    sidebar: [{ text: 'New', link: '/new', collapsed: true }, ",
    ],
    ['...more]', '...more,\n    ]'],
  ])('is navigation alone: %s to %s', (from, to) => {
    expect(vitepress(from, to)).toEqual([]);
  });

  it.each([
    ["'X'", "'Y'"],
    ["'/icon.svg'", "'https://evil.example/x.svg'"],
    ['...more]', '...steal()]'],
    ['...more]', "...more, require('child_process').execSync('id')]"],
    ['...more]', "...more, { text: `${process.env.KEY}`, link: '/' }]"],
    ['...more]', "...more, { get text() { return steal(); }, link: '/' }]"],
    ['...more]', "...more, { text: 'X', link: 'javascript:alert(1)' }]"],
    ['...more]', "...more, { text: '<img src=x onerror=alert(1)>', link: '/' }]"],
    ['...more]', "...more, { text: 'X', link: '/', onclick: 'x' }]"],
    ['...more]', "...more, { ['text']: steal(), link: '/' }]"],
    ['...more]', "...more, { __proto__: { text: 'X' } }]"],
    ["title: 'X',", "title: 'X', transformHead: () => [],"],
    ['export default', 'steal();\nexport default'],
    ["from './more'", "from './evil'"],
    ['sidebar: [', "head: [['script', { src: 'x' }]],\n    sidebar: ["],
    ['});', '}'],
  ])('changes more: %s to %s', (from, to) => {
    expect(vitepress(from, to)).not.toEqual([]);
  });
});

describe('a changed configuration of Starlight', () => {
  const before = `import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';
export default defineConfig({
  integrations: [starlight({ title: 'X', sidebar: ['a', { label: 'B', slug: 'b' }] })],
});
`;
  const starlight = (from: string, to: string) =>
    changes('astro.config.mjs', before, before.replace(from, to), {
      'src/content/docs/a.md': '',
    });

  it.each([
    ["'a', ", "'a', 'c', "],
    ['integrations', "redirects: { '/old': '/a/' },\n  integrations"],
    ["label: 'B'", "label: 'B', translations: { de: 'Be' }"],
  ])('is navigation alone: %s to %s', (from, to) => {
    // A title in another language is known only where it was there before.
    const expected = to.includes('translations') ? 1 : 0;
    expect(starlight(from, to)).toHaveLength(expected);
  });

  it.each([
    ["label: 'B'", "label: 'B', attrs: { onclick: 'x' }"],
    ['integrations', "redirects: { '/old': 'javascript:alert(1)' },\n  integrations"],
    ['integrations', "redirects: { '/old': evil() },\n  integrations"],
    ["title: 'X'", "title: 'X', customCss: ['./evil.css']"],
    ["'a', ", "'https://evil.example', "],
  ])('changes more: %s to %s', (from, to) => {
    expect(starlight(from, to)).not.toEqual([]);
  });
});

describe('changed sidebars of Docusaurus', () => {
  const config = {
    'docusaurus.config.js':
      'module.exports = { presets: [["classic", { docs: { sidebarPath: "./sidebars.js" } }]] };',
    'docs/a.md': '',
  };
  const before = "module.exports = { docs: ['a', { type: 'html', value: '<hr>' }] };\n";
  const docusaurus = (from: string, to: string) =>
    changes('sidebars.js', before, before.replace(from, to), config);

  it.each([
    ["'a', ", "'a', 'b', { type: 'category', label: 'C', items: ['d'] }, "],
    ["'a', ", ''],
    ['module', '// A comment.\nmodule'],
  ])('are navigation alone: %s to %s', (from, to) => {
    expect(docusaurus(from, to)).toEqual([]);
  });

  it.each([
    ["'<hr>'", "'<script>x</script>'"],
    ["'a', ", "'a', { type: 'html', value: 'x' }, "],
    ["'a', ", "'a', { type: 'link', label: 'X', href: 'data:text/html,x' }, "],
    ['module', "const fs = require('fs');\nmodule"],
    ["'a', ", '...fs.readdirSync("."), '],
  ])('change more: %s to %s', (from, to) => {
    expect(docusaurus(from, to)).not.toEqual([]);
  });

  it('are a file of a folder', () => {
    const yaml = (after: string) =>
      changes('docs/_category_.yml', 'label: A\n', after, {
        ...config,
        'sidebars.js': before,
      });
    expect(yaml('label: B # shown\nposition: 2\nlink:\n  type: doc\n  id: a\n')).toEqual([]);
    expect(yaml('label: <script>\n')).toHaveLength(1);
    expect(yaml('label: B\ncustomProps:\n  x: y\n')).toHaveLength(1);
  });
});

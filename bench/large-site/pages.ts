export type LargeSiteKind = 'docs.json' | 'docusaurus';

const WORDS =
  'archive branch cluster deploy endpoint filter gateway handler index journal kernel layout'.split(
    ' ',
  );
const FOLDER = 25;

/** Path without its extension, below `docs`. */
export function pagePath(i: number): string {
  return `section-${Math.floor(i / FOLDER)}/page-${i}`;
}

/**
 * A site of so many pages of 8 KB with six links each, tables, code and headings. Another `seed`
 * has other texts, which no cache knows.
 */
export function largeSite(kind: LargeSiteKind, count: number, seed = 0): Record<string, string> {
  const extension = kind === 'docs.json' ? 'mdx' : 'md';
  const files: Record<string, string> = {};
  for (let i = 0; i < count; i++)
    files[`docs/${pagePath(i)}.${extension}`] = page(i, count, { kind, seed });
  if (kind === 'docs.json') files['docs/docs.json'] = navigation(count);
  else files['docusaurus.config.js'] = DOCUSAURUS;
  return files;
}

function page(
  i: number,
  count: number,
  { kind, seed }: { kind: LargeSiteKind; seed: number },
): string {
  const links = [1, 7, 31, 97, 211, 499].map(step => {
    const to = (i + step) % count;
    return kind === 'docs.json'
      ? `/${pagePath(to)}#details-of-page-${to}`
      : `../${pagePath(to)}.md#details-of-page-${to}`;
  });
  const sections = Array.from({ length: 8 }, (_, n) => section(i, n, links[n]));
  return (
    `---\ntitle: Page ${i}\n---\n\n# Page ${i}\n\n` +
    `## Details of page ${i}\n\nThis page explains widget${i}. It is number ${seed}.\n\n${sections.join('\n')}`
  );
}

function section(i: number, n: number, link: string | undefined): string {
  const word = (at: number) => WORDS[(i * 7 + n * 3 + at) % WORDS.length];
  const sentence = (at: number) =>
    `The ${word(at)} of the ${word(at + 1)} keeps a \`${word(at + 2)}\` for each ${word(at + 3)}, ` +
    `and **never** changes the ${word(at + 5)}.`;
  return (
    `## The ${word(n)} ${n}\n\n${[0, 1, 2, 3, 4, 5].map(sentence).join(' ')}\n\n` +
    (link ? `See [page](${link}) for the ${word(4)}.\n\n` : '') +
    `| Name | Meaning |\n|---|---|\n| \`${word(1)}\` | ${sentence(2)} |\n\n` +
    `\`\`\`bash\ndocent ${word(1)} --${word(2)} ${i}\n\`\`\`\n`
  );
}

function navigation(count: number): string {
  const groups = Array.from({ length: Math.ceil(count / FOLDER) }, (_, g) => ({
    group: `Section ${g}`,
    pages: Array.from({ length: Math.min(FOLDER, count - g * FOLDER) }, (_each, n) =>
      pagePath(g * FOLDER + n),
    ),
  }));
  return `${JSON.stringify({ name: 'Large', navigation: { groups }, redirects: [] }, null, 2)}\n`;
}

const DOCUSAURUS = `module.exports = {
  title: 'Large',
  url: 'https://docs.example.com',
  baseUrl: '/',
  presets: [['classic', { docs: { routeBasePath: '/' } }]],
};
`;

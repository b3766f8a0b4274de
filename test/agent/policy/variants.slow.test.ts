import { policyViolations } from '../../../agent/policy/policy.ts';
import { openWorkspace } from '../../../agent/workspace.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';
import { ATTACKS } from './attacks.ts';
import { siteFiles, TRICKS } from './generator-tricks.ts';
import { LIVE } from './more-tricks.ts';
import { IN_MARKDOWN } from './tricks.ts';

const VARIANTS = 20_000;
const AT_ONCE = 400;
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Constructs that begin with a mark of their own, so that they mean the same wherever they stand. */
const CONSTRUCTS = [
  ...[...ATTACKS, ...LIVE, ...IN_MARKDOWN].map(([, , text]) => ({ site: 'docs-json', text })),
  ...TRICKS.filter(([, , , , more]) => !more).map(([site, , , page]) => ({
    site,
    text: page.replace(/^# T\n\n/, '').trim(),
  })),
].filter(({ text }) => /^(?:[<{]|!\[|\[[^\]]*\]\()/.test(text) && !text.includes('\n'));
/** Of one site at a time, so that its pages are judged together. */
const BY_SITE = [...new Set(CONSTRUCTS.map(({ site }) => site))].map(site => ({
  site,
  texts: CONSTRUCTS.filter(one => one.site === site).map(({ text }) => text),
}));

/** What leaves a construct what it is. */
const CHANGES: readonly ((text: string, pick: (most: number) => number) => string)[] = [
  // Four spaces would be code.
  (text, pick) => (text.startsWith(' ') ? text : `${' '.repeat(pick(4))}${text}`),
  text => `- ${text}`,
  text => `1. ${text}`,
  text => `> ${text}`,
  text => `- > ${text}`,
  text => `| a | b |\n|---|---|\n| x | ${text.replaceAll('|', '\\|')} |`,
  text => `Some words ${text} and more.`,
  text => `**${text}**`,
  text => `# ${text}`,
  text => `a[^1]\n\n[^1]: ${text}`,
  text => `<!-- a note --> ${text}`,
  text => `<div>\n\n${text}\n\n</div>`,
  text => `A paragraph\n${text}`,
  text => `\`code\` ${text} \`code\``,
  text => `$5 ${text}`,
  text => text.replaceAll('\n', '\r\n'),
  (text, pick) => {
    const at = pick(text.length);
    const odd = ['\u200b', '\u00ad', '\u2028', '\u0085', '\u202e', '\v', '\f', '\ufeff'][pick(8)];
    return text.slice(0, at) + odd + text.slice(at);
  },
  text => text.replace(/<(\w+)/g, name => name.toUpperCase()),
];

it(`none of ${VARIANTS} variants of ${CONSTRUCTS.length} constructs passes`, async () => {
  console.info(`seed: ${SEED}`);
  let state = SEED;
  const pick = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const passed: string[] = [];
  for (let done = 0; done < VARIANTS; done += AT_ONCE) {
    const edits = new Map<string, Buffer>();
    const chosen = CONSTRUCTS[pick(CONSTRUCTS.length)]?.site;
    const { site, texts } = BY_SITE.find(one => one.site === chosen) ?? { site: '', texts: [] };
    for (let i = 0; i < AT_ONCE; i++) {
      let text = texts[pick(texts.length)] ?? '';
      for (let times = pick(3) + 1; times > 0; times--)
        text = CHANGES[pick(CHANGES.length)]?.(text, pick) ?? text;
      edits.set(`docs/v${i}.md`, Buffer.from(`# V\n\n${text}\n`));
    }
    const base = memorySnapshot(siteFiles(site));
    const project = { docsFolder: 'docs', allowMdxCode: false };
    const found = await policyViolations(openWorkspace(base, edits), project);
    const refused = new Set(found.map(({ path }) => path));
    for (const [path, content] of edits) if (!refused.has(path)) passed.push(content.toString());
  }
  expect(passed).toEqual([]);
}, 900_000);

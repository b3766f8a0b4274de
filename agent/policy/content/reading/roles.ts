import { judgeAddress } from '../addresses.ts';
import { type Report, squeeze } from '../item.ts';

/** `{name}` before a code span: a role of MyST. */
const ROLE = /\{([\w:.+-]{1,100})\}`([^`\n]{0,1000})`/y;
const RUNS = /^(?:eval|exec|raw|include|glue)/i;
/** `{=html}` behind a code span: what Pandoc writes as it is. */
const RAW = /\{=[\w+-]{1,50}\}/y;

/** Judges a role that runs or loads what is in its code span, and what is raw text. */
export function judgeRole(text: string, at: number, report: Report): void {
  ROLE.lastIndex = at;
  const role = ROLE.exec(text);
  RAW.lastIndex = at;
  const raw = text.charAt(at - 1) === '`' && RAW.exec(text);
  if (raw) {
    const source = text.slice(Math.max(0, text.lastIndexOf('\n', at) + 1, at - 1_000), at) + raw[0];
    say(report, at, 'markup', `raw ${squeeze(source)}`, 'raw text of another format', raw[0]);
  }
  if (!role) return;
  const [source, name = '', content = ''] = role;
  if (RUNS.test(name))
    say(report, at, 'mdx-code', `role ${squeeze(source)}`, `the role {${name}}`, `{${name}}`);
  else if (name === 'download')
    judgeAddress(/<([^<>]*)>\s*$/.exec(content)?.[1] ?? content, at, 'a download', report);
}

function say(
  report: Report,
  at: number,
  rule: 'markup' | 'mdx-code',
  key: string,
  what: string,
  hint: string,
): void {
  report(at, { rule, key, what, instead: 'Write the text itself.', hint });
}

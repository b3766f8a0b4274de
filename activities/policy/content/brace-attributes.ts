import { judgeTag } from './judge-tag.ts';
import { type Report } from './item.ts';
import type { Attribute } from './read-tag.ts';
import { PROGRAM_ATTRIBUTES } from './safe-list.ts';

const PAIR =
  /([^\s={}"'#.:][^\s={}"']{0,100})\s{0,100}=\s{0,100}(?:"([^"\n]*)"|'([^'\n]*)'|([^\s}"']+))/g;

const ACTIVE = /^(?:on|style$|src|href|data$|action$|v-|[@:])/i;

/** Braces that give attributes to what stands before them: `{: .note }`, `{#id data-x="1"}`. */
export function judgeBraceAttributes(text: string, at: number, report: Report): void {
  const line = /^\{[^\n{}]{0,1000}\}/.exec(text.slice(at, at + 1_002))?.[0];
  if (line === undefined || !line.includes('=')) return;
  const attributes: Attribute[] = [...line.matchAll(PAIR)].map(
    ([, name = '', double, single, bare]) => ({ name, value: double ?? single ?? bare ?? '' }),
  );
  // Others are text to most renderers, such as the `{i=1}` of a formula.
  const judged = attributes.filter(
    ({ name }) => ACTIVE.test(name) || PROGRAM_ATTRIBUTES.test(name),
  );
  // They end up on an element that is on the list, whatever it is.
  if (judged.length > 0)
    judgeTag({ name: 'div', attributes: judged, end: at + line.length }, text, at, report);
}

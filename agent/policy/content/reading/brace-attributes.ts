import { judgeTag } from '../judge-tag.ts';
import { type Report } from '../item.ts';
import type { Attribute } from './read-tag.ts';
import { PROGRAM_ATTRIBUTES } from '../safe-list.ts';
import { countWork } from '../work.ts';

const PAIR =
  /([^\s={}"'#.:][^\s={}"']{0,100})\s{0,100}=\s{0,100}(?:"([^"\n]*)"|'([^'\n]*)'|([^\s}"']+))/g;

const LONGEST = 5_000;

/** To the brace that closes; one in quotes is none. Undefined without one in the paragraph. */
function upToBrace(text: string, at: number): string | undefined {
  const last = Math.min(text.length, at + LONGEST);
  let quote = '';
  for (let end = at + 1; end < last; end++) {
    const char = text.charAt(end);
    const isOver = char === '\n' && /^[ \t\r]*\n/.test(text.slice(end + 1, end + 100));
    if (isOver || (char === '{' && quote === '')) {
      countWork(end - at);
      return undefined;
    }
    if (char === quote || char === '\n') quote = '';
    else if (
      quote === '' &&
      /["']/.test(char) &&
      /=\s*$/.test(text.slice(Math.max(at, end - 20), end))
    )
      quote = char;
    else if (char === '}' && quote === '') {
      countWork(end - at);
      return text.slice(at, end + 1);
    }
  }
  countWork(last - at);
  return undefined;
}

const ACTIVE = /^(?:on|style$|src|href|data$|action$|v-|[@:])/i;

/** Braces that give attributes to what stands before them: `{: .note }`, `{#id data-x="1"}`. */
export function judgeBraceAttributes(text: string, at: number, report: Report): void {
  const line = upToBrace(text, at);
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

import { codePoint } from '../../tools/matching/plain-form.ts';
import { type Report, squeeze } from './item.ts';

/**
 * Characters that do not show, that end a line for some readers only, or that turn what is around
 * them, and spaces of other alphabets at a line's start or beside a mark: none of them may come with
 * a job, in text or in code.
 */
const ODD =
  /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufffd]|[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]|^[ \t]*[^\S \t\r\n]|[^\S \t\r\n](?=[<>{}=\\&/]|```)|(?<=[<>{}=\\&/]|```)[^\S \t\r\n]/gmu;
/** Within an emoji, or between letters that join. */
const JOINS = /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?$|[\p{L}\p{M}]$/u;
const EMOJI = /[\p{Extended_Pictographic}\d#*]\p{Emoji_Modifier}?$|\p{Emoji_Modifier}$/u;

export function judgeCharacters(text: string, report: Report): void {
  for (const { index, 0: found } of text.matchAll(ODD)) {
    const before = text.slice(Math.max(0, index - 4), index);
    if (found === '\ufe0f' && EMOJI.test(before)) continue;
    const next = text.slice(index + 1, index + 3);
    const joins = /^[\u200c\u200d]$/.test(found) && JOINS.test(before);
    if (joins && /^(?:\p{Extended_Pictographic}|(?![\p{ASCII}])[\p{L}\p{M}])/u.test(next)) continue;
    const start = text.lastIndexOf('\n', index) + 1;
    const line = text.slice(Math.max(start, index - 100), index + 100).split('\n', 1)[0] ?? '';
    const code = codePoint([...found].at(-1) ?? '');
    report(index, {
      rule: 'markup',
      key: `character ${code} ${squeeze(line)}`,
      what: `the character ${code}, which does not show`,
      instead: 'Leave it out.',
      hint: found,
    });
  }
}

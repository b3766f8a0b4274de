import type { Construct } from '../../shared/jobs/construct.ts';
import { type ContentItem, squeeze } from './content/item.ts';

const SHOWS = 'It can show another site within the page, and that site learns of your readers.';
const LOOKS = 'It can change how the page looks, and hide or cover parts of it.';
const LOADS = `${LOOKS} It can load from another site, and that site learns of your readers.`;

/**
 * The keys that a person may allow, and what such a construct can do. It is a list of what is known:
 * programs, spellings that we do not read, and what is run or read where the site is built are for
 * the project's settings alone.
 */
const ASKED: readonly [key: RegExp, can: string][] = [
  [/^(?:embed [a-z]+|icon) https:\/\/[a-z\d.-]+(?::\d+)?\/[^\s"'<>{}()]*$/i, SHOWS],
  [/^tag [a-z][a-z\d-]*$/, LOOKS],
  [/^attribute [a-z][a-z\d-]* [a-z][a-z-]*$/, LOOKS],
  [/^(?:class|style) (?=.*(?:url|image|src|[/&]))[^<>{}\\]+$/i, LOADS],
  [/^(?:class|style) [^<>{}\\]+$/, LOOKS],
];

/** Undefined if no person may allow it for a job. */
export function constructOf(path: string, item: ContentItem): Construct | undefined {
  const { rule, key, line, what, target } = item;
  const can = ASKED.find(([known]) => known.test(key))?.[1];
  if (can === undefined || target !== undefined) return undefined;
  return { path, line, what, form: formOf(rule, key), can };
}

/** The same construct with the same names, whatever its addresses on the same host are. */
function formOf(rule: string, key: string): string {
  const host = /^((?:embed [a-z]+|icon) https:\/\/[^/]+\/)/i.exec(key)?.[1];
  return `${rule}: ${host ? `${host}…` : squeeze(key)}`;
}

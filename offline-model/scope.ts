import type { Scope } from './instruction.ts';
import { isPath, type Lifted, restore } from './operands.ts';

export const ARROW = '(?:->|→|=>|➜|⇒)';

const WHOLE = /^(?:(?:all|every|each|any|both|our|of|the|whole|entire|whole of)\s+)*(?:docs?|documentation|documents?|pages?|files?|site|website|repo(?:sitory)?|everything|places?|mdx?(?: files)?)(?:\s+(?:folder|pages?|files?|site))?$/i;

/** The scope that a phrase names, such as "docs/cli", "code blocks" or "the install page". */
export function readScope(phrase: string, lifted: Lifted): Scope {
  const text = phrase.trim().replace(/\s+only$/i, '');
  if (/^(?:all |the |any )*(?:code|code (?:blocks?|samples?|examples?|snippets?|fences?)|snippets|examples)$/i.test(text)) return { kind: 'code' };
  if (/^(?:the )?(?:prose|text|running text)$/i.test(text)) return { kind: 'prose' };
  if (WHOLE.test(text)) return { kind: 'all' };
  const place = text.replace(/^the\s+/i, '').replace(/\s+(?:page|pages|guide|file|folder|docs?|documentation|section|directory|reference page)$/i, '').replace(/^(?:page|file|folder)\s+/i, '');
  return { kind: 'all', place: { text: restore(place, lifted), quoted: isPath(restore(place, lifted)), named: true } };
}

const EXCEPT = /,?\s*\(?\b(?:except(?:\s+for)?|excluding|but not|other than|apart from|leaving out)\s+(?:(?:in|on|for)\s+)?(?:the\s+)?(.+?)\)?$/is;

/** The last "in …" of an instruction, and its "except in …". */
export function trailingScope(lifted: Lifted): Scope {
  const except = EXCEPT.exec(lifted.text);
  const clause = lifted.text.replace(EXCEPT, '').replace(/\s*(?:,|;|\(|\bdue to\b|\bbecause\b|\bsince\b|\bso that\b).*$/is, '');
  const found = /.*\s(?:in|across|throughout|on|within|inside|under)\s+(.+)$/is.exec(clause);
  const scope: Scope = found ? readScope(found[1] ?? '', lifted) : { kind: 'all' };
  const kept = except && readScope(except[1] ?? '', lifted).place;
  return kept ? { ...scope, except: kept } : scope;
}

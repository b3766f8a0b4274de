import type { Intent } from './instruction.ts';
import {
  isPath,
  type Lifted,
  NOTHING,
  type Operand,
  original,
  readOperand,
  restore,
} from './operands.ts';

const MARK = String.raw`\uE000\d+\uE001`;
const MEMBERS = String.raw`(?:title|description|sidebar ?title|icon|summary|slug|tags?|keywords|version|mode|author|date|order)`;

/**
 * Reads instructions that bring text: a page, a section, lines. The text may follow a colon, to the
 * end.
 */
export function readContentIntent(lifted: Lifted): Intent | null {
  return readAddPage(lifted) ?? readAddSection(lifted) ?? readAddText(lifted);
}

/**
 * Reads instructions about one page as such: its frontmatter, its place, its end; a text to remove.
 */
export function readPageIntent(lifted: Lifted): Intent | null {
  return (
    readFrontmatter(lifted) ?? readRemoveText(lifted) ?? readDelete(lifted) ?? readMove(lifted)
  );
}

/**
 * Text after a colon, or the quoted part after "with the text", "saying", "that says"; and what
 * stood before.
 */
function splitText(lifted: Lifted): { head: string; text: string; quoted: boolean } | null {
  const said = new RegExp(
    String.raw`^(.*?)[,;]?\s+(?:with|containing|saying|that (?:says|reads)|which (?:says|reads)|reading)\s+(?:(?:the|this|following|just|only)\s+)*(?:(?:content|contents|text|body|lines?|words?)\b\s*)?:?\s*(${MARK})\s*(.*)$`,
    'is',
  ).exec(lifted.text);
  if (said)
    return {
      head: `${said[1] ?? ''} ${said[3] ?? ''}`.trim(),
      text: restore(said[2] ?? '', lifted),
      quoted: true,
    };
  const colon =
    /^([^\n]*?)(?:,?\s+(?:with|containing|saying|that (?:says|reads))\b[^:\n]*)?:(?:[ \t]+|[ \t]*\n+)([\s\S]+)$/i.exec(
      lifted.text,
    );
  if (!colon) return null;
  const head = colon[1] ?? '';
  return { head, text: unquoteWhole(colon[2] ?? '', lifted), quoted: false };
}

/** A text that is one quoted part loses its quotes; quotes inside a longer text stay. */
function unquoteWhole(raw: string, lifted: Lifted): string {
  const text = raw.trim();
  return new RegExp(`^${MARK}$`).test(text) ? restore(text, lifted) : original(text, lifted);
}

function readAddPage(lifted: Lifted): Intent | null {
  if (
    !/^(?:add|create|write|make)\s+(?:a\s+|the\s+)?(?:new\s+|short\s+)*(?:page|file|doc|document|guide)\b/i.test(
      lifted.text,
    )
  )
    return null;
  const split = splitText(lifted);
  if (!split) return null;
  const path = new RegExp(
    String.raw`(?:^|\s)(?:at|as|named|called|page|file|in)?\s*((?:${MARK})|[\w./-]+)(?=[\s,]|$)`,
    'gi',
  );
  const words = [...split.head.matchAll(path)].map(match => restore(match[1] ?? '', lifted));
  const file = words.find(word => isPath(word));
  const folder = new RegExp(
    String.raw`\b(?:in|under|to)\s+(?:the\s+)?(${MARK}|[\w./-]+)\s+(?:folder|directory)\b`,
    'i',
  ).exec(split.head)?.[1];
  const title = new RegExp(
    String.raw`\b(?:titled|called|entitled|named|(?:with\s+)?(?:the\s+)?title)\s+(${MARK}|[^,:]+?)(?=\s+(?:at|in|as|with|under)\b|[,:]|$)`,
    'i',
  ).exec(split.head);
  const named =
    title ??
    new RegExp(String.raw`\b(?:page|file|doc|document|guide)\s+(${MARK})`, 'i').exec(split.head) ??
    (split.quoted
      ? /\babout\s+([^,:]+?)(?=\s+(?:at|in|as|with|under)\b|[,:]|$)/i.exec(split.head)
      : null);
  const name = named && capital(restore(named[1] ?? '', lifted).trim());
  if (!file && !name) return null;
  return {
    kind: 'add-page',
    ...(file
      ? { path: file }
      : folder
        ? { path: `${restore(folder, lifted).replace(/\/$/, '')}/` }
        : {}),
    ...(name && !isPath(name) ? { title: name } : {}),
    text: split.text,
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function readAddSection(lifted: Lifted): Intent | null {
  if (
    !/^(?:(?:to|in|on)\s+.+?,?\s+)?(?:add|append|create|insert|write)\s+(?:a\s+|the\s+)?(?:new\s+|short\s+)*(?:sub)?section\b/i.test(
      lifted.text,
    )
  )
    return null;
  const split = splitText(lifted);
  if (!split) return null;
  const heading = new RegExp(
    String.raw`section\s+(?:(?:titled|called|named|entitled|with (?:the )?heading|on|about)\s+)?(${MARK}|.+?)(?=\s+(?:to|in|on|at|after|under|below)\s|[,:]|$)`,
    'i',
  ).exec(split.head);
  const after = new RegExp(
    String.raw`\b(?:after|below|under|following)\s+(?:the\s+)?(?:section\s+)?(${MARK}|[^,]+?)(?:\s+section)?(?=\s+(?:to|in|on|of)\s|,|$)`,
    'i',
  ).exec(split.head);
  const page = pageAfter(split.head.replace(after?.[0] ?? /$^/, ''), lifted);
  if (!heading || !page) return null;
  return {
    kind: 'add-section',
    page,
    heading: restore(heading[1] ?? '', lifted).trim(),
    text: split.text,
    ...(after ? { after: readOperand(after[1] ?? '', lifted) } : {}),
  };
}

const PLACE = String.raw`(?:(?:the\s+)?(?:very\s+)?(?<edge>end|bottom|top|start|beginning)\s+of\s+)?(?:the\s+)?(?:page|file)?\s*`;

/**
 * "to the section X of", which stands before the page, or "to the section X" at the end; behind a
 * quoted text, or where no text comes first.
 */
const IN_SECTION = new RegExp(
  String.raw`(?<=^|\uE001\s+|^(?:append|add|insert|put|write|prepend)\s+)(?:to|at|on|in|into|under)\s+(?<edge>(?:the\s+)?(?:very\s+)?(?:end|bottom|top|start|beginning)\s+of\s+)?(?:the\s+)?(?:section\s+(?<behind>${MARK}|[\w -]+?)|(?<before>${MARK}|[\w -]+?)\s+section)(?:\s+(?:of|in|on)\s+(?=\S)|$)`,
  'i',
);

function readAddText(lifted: Lifted): Intent | null {
  const { before, behind = before, edge: part = '' } = IN_SECTION.exec(lifted.text)?.groups ?? {};
  const section = behind === undefined ? undefined : restore(behind, lifted).trim();
  const text = lifted.text
    .replace(IN_SECTION, found => (/\s$/.test(found) ? `to ${part}` : ''))
    .trim();
  const prepend = /^prepend\b/i.test(text);
  const patterns = [
    // append the line 17 to docs/log.md
    new RegExp(
      String.raw`^(?:append|add|insert|put|write|prepend)\s+(?<what>[^\n]+?)\s+(?:to|at|on|in|into)\s+${PLACE}(?<page>${MARK}|[^\s,:]+(?:\s+page)?|[\w\s-]+?\s+page)$`,
      'i',
    ),
    // append to docs/log.md: text; at the end of docs/log.md, add the line 17
    new RegExp(
      String.raw`^(?:append|add|prepend)\s+(?:(?:the|this|following|a)\s+)*(?:lines?|text|sentence|paragraph)?\s*(?:to|at|on|in)\s+${PLACE}(?<page>${MARK}|[^\s,:]+(?:\s+page)?|[\w\s-]+?\s+page)\s*:\s*(?<what>[\s\S]+)$`,
      'i',
    ),
    new RegExp(
      String.raw`^(?:to|at|on|in)\s+${PLACE}(?<page>${MARK}|[^\s,:]+(?:\s+page)?|[\w\s-]+?\s+page),?\s+(?:append|add|insert|put|write)\s+(?<what>[\s\S]+)$`,
      'i',
    ),
  ];
  for (const pattern of patterns) {
    const { what, page, edge } = pattern.exec(text)?.groups ?? {};
    if (!what || !page) continue;
    const operand = pageOperand(page, lifted);
    const added = readAdded(what, lifted);
    if (!operand || added === null) continue;
    return {
      kind: 'add-text',
      page: operand,
      ...(section ? { section } : {}),
      text: added,
      at: prepend || /top|start|beginning/i.test(part + (edge ?? '')) ? 'start' : 'end',
    };
  }
  return null;
}

/**
 * What is to be added: quoted, or bare behind a noun such as "the line"; a bare description is not
 * text.
 */
function readAdded(what: string, lifted: Lifted): string | null {
  const trimmed = what
    .trim()
    .replace(
      /^(?:(?:the|this|a|following|another|new)\s+)*(?:lines?|text|sentence|paragraph|words?|row|bullet|number|entry)?\s*(?:that (?:says|reads)|saying|with(?: the text)?|of text)?\s*:?\s*/i,
      '',
    );
  if (new RegExp(`^${MARK}$`).test(trimmed)) return restore(trimmed, lifted);
  // `the line "x" below the table` says where, too, and that we cannot.
  if (
    new RegExp(
      `^${MARK}\\s+(?:to|at|in|into|on|under|after|before|below|above|behind)\\s`,
      'i',
    ).test(trimmed)
  )
    return null;
  const named =
    /^(?:(?:the|this|following|a|another|new)\s+)*(?:lines?|text|sentence|paragraph|words?|row|bullet|number|entry)\b|:\s/i.test(
      what.trim(),
    );
  if (
    trimmed === '' ||
    (/^(?:an?|some|more|information|details|documentation|docs|examples?)\b/i.test(trimmed) &&
      !/:\s/.test(what))
  )
    return null;
  return named || /^\S+$/.test(trimmed) ? unquoteWhole(trimmed, lifted) : null;
}

function readFrontmatter(lifted: Lifted): Intent | null {
  const { text } = lifted;
  const member = String.raw`(?<member>${MEMBERS}|(?:front ?matter (?:member |field |key |property )?)(?:${MARK}|[\w:-]+))(?: (?:member|field|key|property))?`;
  const page = String.raw`(?<page>${MARK}|[^\n]+?)`;
  const value = String.raw`(?<value>${MARK}|[^\n]+?)`;
  const verb = '(?:change|set|update|make|edit|give|add|rename|replace)';
  const patterns = [
    String.raw`^${verb}\s+(?:the\s+)?(?:page\s+)?${member}\s+(?:of|for|on|in)\s+${page}\s+(?:to|as|with|=|be|from\s+.+?\s+to):?\s+${value}$`,
    String.raw`^${verb}\s+(?:the\s+)?(?:page\s+)?${member}\s+(?:to|as|=|:)\s*${value}\s+(?:of|for|on|in|to)\s+${page}$`,
    String.raw`^${verb}\s+${page}['’]s\s+${member}\s+(?:to|as|=|be)\s+${value}$`,
    String.raw`^(?:in|on|for)\s+${page},?\s+${verb}\s+(?:the\s+)?(?:page\s+)?${member}\s+(?:to|as|=|:)\s*${value}$`,
    String.raw`^(?:give|add)\s+(?:to\s+)?${page}\s+(?:the|a)\s+(?:new\s+)?${member}\s+${value}$`,
    String.raw`^${verb}\s+(?:the\s+)?(?!(?:the|this|its|an?|all|every|each|any|page|new|old|current|site|sidebar)\s)${page}\s+(?:page\s+)?(?<member>title|description|summary|sidebar ?title)\s+(?:to|as|=)\s+${value}$`,
  ];
  for (const pattern of patterns) {
    const groups = new RegExp(pattern, 'i').exec(text)?.groups;
    const operand = groups && pageOperand(groups['page'] ?? '', lifted);
    if (!operand || NOTHING.test(groups['value'] ?? '')) continue;
    return {
      kind: 'frontmatter',
      page: operand,
      member: memberName(restore(groups['member'] ?? '', lifted)),
      value: restore(groups['value'] ?? '', lifted).trim(),
    };
  }
  const retitle = new RegExp(String.raw`^retitle\s+${page}\s+(?:to|as)\s+${value}$`, 'i').exec(
    text,
  )?.groups;
  const operand = retitle && pageOperand(retitle['page'] ?? '', lifted);
  return operand
    ? {
        kind: 'frontmatter',
        page: operand,
        member: 'title',
        value: restore(retitle['value'] ?? '', lifted).trim(),
      }
    : null;
}

function memberName(raw: string): string {
  const name = raw.replace(/^front ?matter\s+(?:(?:member|field|key|property)\s+)?/i, '').trim();
  return /^sidebar ?title$/i.test(name)
    ? 'sidebarTitle'
    : /^[A-Z]?[a-z]+$/.test(name)
      ? name.toLowerCase()
      : name;
}

function readRemoveText(lifted: Lifted): Intent | null {
  const found = new RegExp(
    String.raw`^(?:remove|delete|drop|strip)\s+(?:the\s+)?(?:lines?|sentence|text|paragraph|phrase|words?|bullet|row|note)?\s*(${MARK})\s+(?:from|in|on)\s+(.+)$`,
    'i',
  ).exec(lifted.text);
  const page = found && pageOperand(found[2] ?? '', lifted);
  const text = found && restore(found[1] ?? '', lifted);
  return page && text
    ? { kind: 'remove-text', page, text, ticked: original(found[1] ?? '', lifted).startsWith('`') }
    : null;
}

function readDelete(lifted: Lifted): Intent | null {
  const found =
    /^(?:delete|remove|drop)\s+(?<raw>.+?)(?:,?\s+(?:and\s+)?(?:with\s+a\s+)?redirect(?:ing|s)?(?:\s+(?:it|readers|visitors|from it))?\s+to\s+(?<redirect>.+))?$/i.exec(
      lifted.text,
    );
  const raw = found?.groups?.['raw'] ?? '';
  const page = raw && pageOperand(raw, lifted);
  if (!page || !(isPath(page.text) || /\b(?:page|file)\b/i.test(raw))) return null;
  const redirect = found?.groups?.['redirect'];
  const redirectTo = redirect ? pageOperand(redirect, lifted) : null;
  return { kind: 'delete-page', page, ...(redirectTo ? { redirectTo } : {}) };
}

function readMove(lifted: Lifted): Intent | null {
  const found = /^(?:move|rename|relocate)\s+(.+?)\s+(?:to|into|as|under)\s+(.+?)$/i.exec(
    lifted.text,
  );
  const page = found && pageOperand(found[1] ?? '', lifted);
  // "Move the install page to guides": nobody moves a page to become another; "rename" says that.
  const into =
    /(?:^|\s)(?:folder|directory)\b/i.test(found?.[2] ?? '') ||
    (/^(?:move|relocate)/i.test(lifted.text) && !/[./]/.test(found?.[2] ?? '.'));
  const to =
    found &&
    restore(
      (found[2] ?? '')
        .replace(/^(?:the\s+)?(?:folder|directory|file|page)\s+/i, '')
        .replace(/\s+(?:folder|directory)$/i, ''),
      lifted,
    ).trim();
  if (!page || !to || !/^[\w./@()-]+$/.test(to)) return null;
  const pageLike = isPath(page.text) || /\b(?:page|file)\b/i.test(found[1] ?? '');
  // Packages such as @scope/name look like paths, but nobody moves them: both sides must.
  if (
    !pageLike ||
    page.text.startsWith('@') ||
    !(isPath(to) || into || /^move|^relocate/i.test(lifted.text))
  )
    return null;
  return { kind: 'move-page', page, to: into && !to.endsWith('/') ? `${to}/` : to };
}

/** The page that stands behind the last "to", "in" or "on". */
function pageAfter(text: string, lifted: Lifted): Operand | null {
  const found = new RegExp(
    String.raw`.*\b(?:to|in|on|of)\s+(?:(?:the\s+)?(?:end|bottom)\s+of\s+)?(${MARK}|[^,:]+?)(?=[,:]|$)`,
    'is',
  ).exec(text);
  return found && pageOperand(found[1] ?? '', lifted);
}

function pageOperand(raw: string, lifted: Lifted): Operand | null {
  const text = raw
    .trim()
    .replace(/^(?:the|page|file)\s+/i, '')
    .replace(/^(?:page|file)\s+/i, '')
    .replace(/\s+(?:page|file)$/i, '')
    .trim();
  if (text === '' || text.split(/\s+/).length > 6) return null;
  const name = restore(text, lifted);
  return { text: name, quoted: isPath(name), named: /\b(?:page|file)\b/i.test(raw) };
}

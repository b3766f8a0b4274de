import type { ToolCall, ToolOutcome } from './conversation.ts';

/**
 * Work as a generator: it yields the tool calls of one step and is resumed with their outcomes.
 * Replaying it against the outcomes in a transcript leads to the next step, so nothing is kept
 * between requests.
 */
export type Work<T> = Generator<ToolCall[], T, ToolOutcome[]>;

const EDITOR = 'str_replace_based_edit_tool';
/** Changed lines farther apart than this are edits of their own. */
const GAP = 6;

/** What a piece of work has to tell; the failed calls of its edits are added as they come in. */
export interface Report {
  /** What was done, or why nothing was, as sentences. */
  sentences: string[];
  failures: string[];
  /** An edit went through. */
  changed: boolean;
}

export function newReport(): Report {
  return { sentences: [], failures: [], changed: false };
}

/** Files as this turn knows them, and edits that wait to be sent together. */
export class Desk {
  readonly #known = new Map<string, string[]>();
  /** The docs folder; '' is the repository's root. */
  readonly root: string;
  /** What the instructions ask for may be there already, from their first time. */
  readonly again: boolean;
  /** Files that were to be read and have a line that no view shows in full. */
  readonly #tooLong = new Set<string>();
  /** Titles by page, once they were asked for. */
  titles: Map<string, string> | undefined;
  #pages: string[] | undefined;
  #queue: { path: string; call: ToolCall; report: Report }[] = [];

  constructor(root: string, again: boolean) {
    this.root = root;
    this.again = again;
  }

  *call(name: string, input: Record<string, unknown>): Work<ToolOutcome> {
    const [outcome] = yield* this.calls([{ name, input }]);
    return outcome as ToolOutcome;
  }

  /** Sends waiting edits first: a call must see them. */
  *calls(calls: ToolCall[]): Work<ToolOutcome[]> {
    yield* this.flush();
    return calls.length === 0 ? [] : yield calls;
  }

  /**
   * What these calls answer, with the rest of answers that are too long for one; '' where they
   * fail.
   */
  *callsInFull(calls: ToolCall[]): Work<string[]> {
    const texts = calls.map(() => '');
    let open = calls.map((call, index) => ({ call, index }));
    while (open.length > 0) {
      const outcomes = yield* this.calls(open.map(({ call }) => call));
      open = open.flatMap(({ call, index }, at) => {
        const { text, isError } = outcomes[at] as ToolOutcome;
        if (isError) return [];
        texts[index] += `${text}\n`;
        const [, skip] = /\n\[\d+ more\b.* skip (\d+)\.\]$/.exec(text) ?? [];
        return skip === undefined
          ? []
          : [{ call: { ...call, input: { ...call.input, skip: Number(skip) } }, index }];
      });
    }
    return texts;
  }

  *flush(): Work<void> {
    const queue = this.#queue;
    if (queue.length === 0) return;
    this.#queue = [];
    const outcomes = yield queue.map(({ call }) => call);
    for (const [index, { path, report }] of queue.entries()) {
      const outcome = outcomes[index];
      if (outcome?.isError) {
        report.failures.push(outcome.text);
        this.#known.delete(path);
      } else report.changed = true;
    }
  }

  /** A file's lines, or undefined where it cannot be read. */
  *read(path: string): Work<string[] | undefined> {
    return (yield* this.readAll([path])).get(path);
  }

  *readAll(paths: string[]): Work<Map<string, string[]>> {
    let wanted = paths.filter(path => !this.#known.has(path)).map(path => ({ path, from: 1 }));
    const lines = new Map<string, string[]>();
    while (wanted.length > 0) {
      const outcomes = yield* this.calls(wanted.map(({ path, from }) => view(path, from)));
      const next: typeof wanted = [];
      for (const [index, { path }] of wanted.entries()) {
        const outcome = outcomes[index];
        const part = outcome && !outcome.isError ? readView(outcome.text) : undefined;
        if (part === 'cut') this.#tooLong.add(path);
        if (!part || part === 'cut') {
          lines.delete(path);
          continue;
        }
        const sofar = [...(lines.get(path) ?? []), ...part.lines];
        lines.set(path, sofar);
        if (part.more) next.push({ path, from: sofar.length + 1 });
      }
      wanted = next;
    }
    for (const [path, content] of lines) this.#known.set(path, content);
    return new Map(
      paths.flatMap(path => {
        const content = this.#known.get(path);
        return content ? [[path, content] as const] : [];
      }),
    );
  }

  /**
   * Files that were left out since this was last asked, because a line of theirs is too long to be
   * read.
   */
  takeTooLong(): string[] {
    const paths = [...this.#tooLong];
    this.#tooLong.clear();
    return paths;
  }

  /**
   * Sends the difference between what is known of a file and its new lines, as few exact
   * replacements.
   */
  change(path: string, after: string[], report: Report): void {
    const before = this.#known.get(path) ?? [];
    let current = before;
    for (const hunk of hunks(before, after).reverse()) {
      const [from, to] = unique(current, hunk.from, hunk.to);
      const fresh = [
        ...current.slice(from, hunk.from),
        ...hunk.lines,
        ...current.slice(hunk.to, to),
      ];
      if (from === to) this.insert(path, from, fresh, report);
      else
        this.#edit(
          { command: 'str_replace', path, ...replacement(current, from, to, fresh) },
          report,
        );
      current = [...current.slice(0, from), ...fresh, ...current.slice(to)];
    }
    this.#known.set(path, after);
  }

  /**
   * Inserts lines after line `line`; 0 is the file's beginning, behind a byte order mark. The tool
   * ends the last one as the file's lines end.
   */
  insert(path: string, line: number, lines: string[], report: Report): void {
    const [first = '', ...others] = this.#known.get(path) ?? [];
    if (line === 0 && first.startsWith('\uFEFF'))
      return this.change(
        path,
        [`\uFEFF${lines[0]}`, ...lines.slice(1), first.slice(1), ...others],
        report,
      );
    this.#edit(
      {
        command: 'insert',
        path,
        insert_line: line,
        insert_text: `${lines.join('\n')}${lines.at(-1) === '' ? '\n' : ''}`,
      },
      report,
    );
    const known = this.#known.get(path);
    if (known) this.#known.set(path, [...known.slice(0, line), ...lines, ...known.slice(line)]);
  }

  create(path: string, lines: string[], report: Report): void {
    this.#edit({ command: 'create', path, file_text: `${lines.join('\n')}\n` }, report);
    this.#known.set(path, lines);
    this.pageMoved(undefined, path);
  }

  /** Edits of several instructions go out as one step. */
  #edit(input: { command: string; path: string; [member: string]: unknown }, report: Report): void {
    this.#queue.push({ path: input.path, call: editor(input), report });
  }

  /** After a tool that changes many files: no text is known any more. */
  forget(): void {
    this.#known.clear();
  }

  /** A page is now at `to`; undefined is nowhere. */
  pageMoved(from: string | undefined, to: string | undefined): void {
    this.#pages = this.#pages
      ?.filter(page => page !== from)
      .concat(to ?? [])
      .sort();
  }

  /** Paths of all pages of the docs folder. */
  *pages(): Work<string[]> {
    if (!this.#pages) {
      const [text = ''] = yield* this.callsInFull([
        { name: 'list_files', input: { glob: '**/*.{md,mdx}' } },
      ]);
      this.#pages = text
        .split('\n')
        .filter(
          line => /\.mdx?$/i.test(line) && (this.root === '' || line.startsWith(`${this.root}/`)),
        );
    }
    return this.#pages;
  }
}

function editor(input: Record<string, unknown>): ToolCall {
  return { name: EDITOR, input };
}

function view(path: string, from: number): ToolCall {
  return editor({ command: 'view', path, ...(from > 1 ? { view_range: [from, -1] } : {}) });
}

/**
 * Lines of a view; undefined where it shows none, 'cut' where it does not show the whole of one.
 */
function readView(text: string): { lines: string[]; more: boolean } | 'cut' | undefined {
  const rows = text.split('\n');
  const last = rows.at(-1) ?? '';
  if (rows.some(row => /^\[The line is \d+ characters long/.test(row))) return 'cut';
  const lines = rows.flatMap(row => /^ *\d+\t([\s\S]*)$/.exec(row)?.slice(1, 2) ?? []);
  if (lines.length === 0) return / is empty\.$/.test(text) ? { lines: [], more: false } : undefined;
  return { lines, more: /^\[\d+ more lines?: view with/.test(last) };
}

interface Hunk {
  /** Lines `from` (0-based) to before `to` of the old text become `lines`. */
  from: number;
  to: number;
  lines: string[];
}

/** Where two texts of lines differ. Most edits keep the number of lines; the rest are one hunk. */
function hunks(before: string[], after: string[]): Hunk[] {
  if (before.length !== after.length) {
    let start = 0;
    while (start < before.length && start < after.length && before[start] === after[start]) start++;
    let end = 0;
    while (
      end < Math.min(before.length, after.length) - start &&
      before.at(-1 - end) === after.at(-1 - end)
    )
      end++;
    return [
      { from: start, to: before.length - end, lines: after.slice(start, after.length - end) },
    ];
  }
  const found: Hunk[] = [];
  for (const [index, line] of after.entries()) {
    if (line === before[index]) continue;
    const last = found.at(-1);
    if (last && index - last.to < GAP) last.to = index + 1;
    else found.push({ from: index, to: index + 1, lines: [] });
  }
  return found.map(({ from, to }) => ({ from, to, lines: after.slice(from, to) }));
}

/** Widens a range of lines until its text occurs once in the file. */
function unique(lines: string[], from: number, to: number): [number, number] {
  const text = lines.join('\n');
  let [start, end] = [from, to];
  if (start === end) return [start, end];
  const once = () => {
    const part = lines.slice(start, end).join('\n');
    return part !== '' && text.indexOf(part) === text.lastIndexOf(part);
  };
  while (!once() && (start > 0 || end < lines.length)) {
    if (end < lines.length) end++;
    if (start > 0) start--;
  }
  return [start, end];
}

/** Lines that go away altogether take a line end with them. */
function replacement(
  lines: string[],
  from: number,
  to: number,
  fresh: string[],
): { old_str: string; new_str: string } {
  const old = lines.slice(from, to).join('\n');
  if (fresh.length > 0) return { old_str: old, new_str: fresh.join('\n') };
  return to < lines.length
    ? { old_str: `${old}\n${lines[to]}`, new_str: lines[to] ?? '' }
    : {
        old_str: `${from > 0 ? `${lines[from - 1]}\n` : ''}${old}`,
        new_str: from > 0 ? (lines[from - 1] ?? '') : '',
      };
}

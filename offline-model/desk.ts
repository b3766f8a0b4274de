import { EDITOR_NAME, OR_SKIP } from '../shared/agent-text.ts';
import type { ToolCall, ToolOutcome } from './conversation.ts';
import { hunks, smallestReplacement, unique } from './line-edits.ts';
import { type Hit, readHits, readPaths, readView } from './tool-answers.ts';

/**
 * Work as a generator: it yields the tool calls of one step and is resumed with their outcomes.
 * Replaying it against the outcomes in a transcript leads to the next step, so nothing is kept
 * between requests.
 */
export type Work<T> = Generator<ToolCall[], T, ToolOutcome[]>;

/** What a piece of work has to tell; the failed calls of its edits are added as they come in. */
export interface Report {
  /** What was done, or why nothing was, as sentences. */
  sentences: string[];
  failures: string[];
  /** Files of which an edit failed. */
  refused: Set<string>;
  /** An edit went through. */
  changed: boolean;
}

export function newReport(): Report {
  return { sentences: [], failures: [], refused: new Set(), changed: false };
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
  #markdown: string[] | undefined;
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
        const [, skip] = OR_SKIP.exec(text) ?? [];
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
        if (!report.failures.includes(outcome.text)) report.failures.push(outcome.text);
        report.refused.add(path);
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
          { command: 'str_replace', path, ...smallestReplacement(current, from, to, fresh) },
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
    this.#markdown = this.#markdown?.concat(path).sort();
  }

  /** Edits of several instructions go out as one step. */
  #edit(input: { command: string; path: string; [member: string]: unknown }, report: Report): void {
    this.#queue.push({ path: input.path, call: editor(input), report });
  }

  /** After a tool that changes many files: no text is known any more. */
  forget(): void {
    this.#known.clear();
  }

  /** Paths of all pages of the docs folder. */
  *pages(): Work<string[]> {
    return (yield* this.markdown()).filter(path => path.startsWith(this.root && `${this.root}/`));
  }

  /** Paths of all Markdown files of the repository. */
  *markdown(): Work<string[]> {
    if (!this.#markdown) {
      const [paths = []] = yield* this.listAll(['**/*.{md,mdx}']);
      this.#markdown = paths;
    }
    return this.#markdown;
  }

  /** The paths that each glob matches. */
  *listAll(globs: string[]): Work<string[][]> {
    const texts = yield* this.callsInFull(
      globs.map(glob => ({ name: 'list_files', input: { glob } })),
    );
    return texts.map(readPaths);
  }

  /** The lines of the docs folder's files that match; long ones are cut. */
  *search(pattern: string, glob?: string, caseSensitive = false): Work<Hit[]> {
    const input = {
      pattern,
      ...(caseSensitive && { case_sensitive: true }),
      ...(glob && { glob }),
      max_results: 500,
    };
    const [text = ''] = yield* this.callsInFull([{ name: 'search_text', input }]);
    return readHits(text);
  }
}

function editor(input: Record<string, unknown>): ToolCall {
  return { name: EDITOR_NAME, input };
}

function view(path: string, from: number): ToolCall {
  return editor({ command: 'view', path, ...(from > 1 ? { view_range: [from, -1] } : {}) });
}

import {
  EDITOR_NAME,
  FILE_IS_EMPTY,
  LINE_TOO_LONG,
  OR_SKIP,
  VIEW_MORE,
} from '../shared/agent-text.ts';
import type { ToolCall, ToolOutcome, Transcript } from './transcript.ts';

/**
 * Work as a generator: it yields the tool calls of one step and is resumed with their outcomes.
 * Replaying it against the outcomes in a transcript leads to the next step, so nothing is kept
 * between requests.
 */
export type Work<T> = Generator<ToolCall[], T, ToolOutcome[]>;

/** What an instruction came to. */
export interface Report {
  /** What was done, or why nothing was, as sentences. */
  sentences: string[];
  /** Why something was not done, and what the tools refused. */
  failures: string[];
  /** An edit went through. */
  changed: boolean;
}

/** Files as this turn knows them, and edits that wait to be sent together. */
export class Desk {
  readonly turn: Transcript;
  readonly #known = new Map<string, string[]>();
  #pages: string[] | undefined;
  #waiting: { call: ToolCall; path: string; report: Report }[] = [];

  constructor(turn: Transcript) {
    this.turn = turn;
  }

  /** Waiting edits are sent first: a call must see them. */
  *call(name: string, input: Record<string, unknown>): Work<ToolOutcome> {
    yield* this.flush();
    const [outcome] = yield [{ name, input }];
    return outcome as ToolOutcome;
  }

  *flush(): Work<void> {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    const outcomes = yield waiting.map(({ call }) => call);
    for (const [index, { path, report }] of waiting.entries()) {
      const { text, isError } = outcomes[index] as ToolOutcome;
      if (!isError) report.changed = true;
      else {
        this.#known.delete(path);
        if (!report.failures.includes(text)) report.failures.push(text);
      }
    }
  }

  /** Paths of all pages of the docs folder. */
  *pages(): Work<string[]> {
    if (this.#pages) return this.#pages;
    const paths: string[] = [];
    for (let skip = 0; skip >= 0;) {
      const input = { glob: this.glob(''), ...(skip > 0 && { skip }) };
      const { text }: ToolOutcome = yield* this.call('list_files', input);
      paths.push(...text.split('\n').filter(line => /^[^[].*\.mdx?$/i.test(line)));
      skip = Number(OR_SKIP.exec(text)?.[1] ?? -1);
    }
    return (this.#pages = paths);
  }

  /** The pages of a folder; '' is the docs folder. */
  glob(folder: string): string {
    return [folder || this.turn.docsFolder, '**/*.{md,mdx}'].filter(Boolean).join('/');
  }

  /** A file's lines; undefined if there is no such file, or a line of it is too long to be shown. */
  *read(path: string): Work<string[] | undefined> {
    let lines = this.#known.get(path);
    if (lines) return lines;
    lines = [];
    for (let more = true; more;) {
      const range = lines.length > 0 ? { view_range: [lines.length + 1, -1] } : {};
      const input = { command: 'view', path, ...range };
      const { text, isError } = yield* this.call(EDITOR_NAME, input);
      const shown = text.split('\n').flatMap(row => /^ *\d+\t(.*)$/s.exec(row)?.[1] ?? []);
      const isWhole = shown.length > 0 || text.endsWith(FILE_IS_EMPTY);
      if (isError || !isWhole || LINE_TOO_LONG.test(text)) return undefined;
      lines.push(...shown);
      more = VIEW_MORE.test(text);
    }
    this.#known.set(path, lines);
    return lines;
  }

  /** Lines `from` (0-based) to before `to` of a file that was read become `fresh`. */
  change(path: string, [from, to]: [number, number], fresh: string[], report: Report): void {
    const lines = this.#known.get(path) ?? [];
    if (from === to) {
      // The tool ends the last line itself.
      const text = `${fresh.join('\n')}${fresh.at(-1) === '' ? '\n' : ''}`;
      this.#edit('insert', path, { insert_line: from, insert_text: text }, report);
    } else {
      const [start, end] = unique(lines, from, to);
      const after = [...lines.slice(start, from), ...fresh, ...lines.slice(to, end)];
      const texts = { old_str: lines.slice(start, end).join('\n'), new_str: after.join('\n') };
      this.#edit('str_replace', path, texts, report);
    }
    this.#known.set(path, lines.toSpliced(from, to - from, ...fresh));
  }

  create(path: string, lines: string[], report: Report): void {
    this.#edit('create', path, { file_text: `${lines.join('\n')}\n` }, report);
    this.#known.set(path, lines);
    this.#pages = this.#pages?.concat(path);
  }

  /** After a tool that changes many files: no text is known any more. */
  forget(): void {
    this.#known.clear();
  }

  #edit(command: string, path: string, input: ToolCall['input'], report: Report): void {
    const call = { name: EDITOR_NAME, input: { command, path, ...input } };
    this.#waiting.push({ call, path, report });
  }
}

/** Widens a range of lines until its text occurs once in the file. */
function unique(lines: string[], from: number, to: number): [number, number] {
  const text = lines.join('\n');
  let [start, end] = [from, to];
  const isOnce = () => {
    const part = lines.slice(start, end).join('\n');
    return part !== '' && text.indexOf(part) === text.lastIndexOf(part);
  };
  while (!isOnce() && (start > 0 || end < lines.length)) {
    if (end < lines.length) end++;
    if (start > 0) start--;
  }
  return [start, end];
}

import { FILE_IS_EMPTY, LINE_TOO_LONG, VIEW_MORE } from '../shared/agent-text.ts';

/** A line that a search found; a long one is cut, with `…` where. */
export interface Hit {
  path: string;
  /** 1-based. */
  line: number;
  text: string;
}

/** The lines of a `search_text` answer. */
export function readHits(text: string): Hit[] {
  return text.split('\n').flatMap(row => {
    const [, path = '', line, found = ''] = /^(.+?):(\d+): (.*)$/.exec(row) ?? [];
    return line === undefined ? [] : [{ path, line: Number(line), text: found }];
  });
}

/** The paths of a `list_files` answer. */
export function readPaths(text: string): string[] {
  return text.split('\n').filter(line => /^[^[]/.test(line) && !/^No file matches /.test(line));
}

/**
 * Lines of a view; undefined where it shows none, 'cut' where it does not show the whole of one.
 */
export function readView(text: string): { lines: string[]; more: boolean } | 'cut' | undefined {
  if (LINE_TOO_LONG.test(text)) return 'cut';
  const lines = text.split('\n').flatMap(row => /^ *\d+\t([\s\S]*)$/.exec(row)?.slice(1, 2) ?? []);
  if (lines.length === 0) return text.endsWith(FILE_IS_EMPTY) ? { lines, more: false } : undefined;
  return { lines, more: VIEW_MORE.test(text) };
}

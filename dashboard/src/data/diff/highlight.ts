import type { CodeToken } from '../../../../api/dashboard/contract/page-tree.ts';
import type { HighlightAnswer, HighlightRequest } from './highlight-worker.ts';

const TIMEOUT_MS = 5_000;
/** Characters; longer source has no colours. */
const LONGEST = 300_000;

const LANGUAGES: readonly [RegExp, string][] = [
  [/\.(?:mdx?|markdown|mdoc|rmd|qmd)$/i, 'markdown'],
  [/\.ya?ml$/i, 'yaml'],
  [/\.jsonc?$/i, 'json'],
  [/\.toml$/i, 'ini'],
  [/\.(?:html?|xml|svg|vue|astro)$/i, 'xml'],
  [/\.[cm]?jsx?$/i, 'javascript'],
  [/\.[cm]?tsx?$/i, 'typescript'],
  [/\.py$/i, 'python'],
  [/\.(?:css|scss)$/i, 'css'],
  [/\.(?:ba)?sh$/i, 'bash'],
];

interface Asked {
  resolve: (lines: CodeToken[][][]) => void;
  timeout: ReturnType<typeof setTimeout>;
}
let worker: Worker | undefined;
let last = 0;
const asked = new Map<number, Asked>();

/**
 * Colours pieces of a file's source, in a thread: by text and line. Empty: there are none, because
 * its language is not known, it is too long, or it takes too long.
 */
export function highlightSource(path: string, texts: string[]): Promise<CodeToken[][][]> {
  const language = LANGUAGES.find(([ending]) => ending.test(path))?.[1];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (language === undefined || length > LONGEST) return Promise.resolve([]);
  return new Promise(resolve => {
    const id = (last += 1);
    asked.set(id, { resolve, timeout: setTimeout(giveUp, TIMEOUT_MS) });
    started().postMessage({ id, language, texts } satisfies HighlightRequest);
  });
}

function started(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
  worker.onerror = giveUp;
  worker.onmessage = ({ data: { id, lines } }: MessageEvent<HighlightAnswer>) => {
    const one = asked.get(id);
    asked.delete(id);
    clearTimeout(one?.timeout);
    one?.resolve(lines);
  };
  return worker;
}

function giveUp(): void {
  worker?.terminate();
  worker = undefined;
  for (const { resolve, timeout } of asked.values()) {
    clearTimeout(timeout);
    resolve([]);
  }
  asked.clear();
}

import { parentPort } from 'node:worker_threads';
import { siteSource } from '../../sites/kinds/source.ts';
import type { WantedSite } from '../../sites/project-site.ts';
import {
  answerSiteQuestion,
  baseSite,
  type BaseSite,
  type SiteQuestion,
} from './site-questions.ts';
import { BoundedCache } from '../../shared/bounded-cache.ts';

/** What the thread receives: a question about a commit, then the texts that it lacks. */
export type ToThread =
  | {
      type: 'ask';
      id: number;
      commit: string;
      /** Path and blob id of every file, the id only where the text is needed; once a commit. */
      entries?: [path: string, blob: string | null][];
      /** Paths of the commit's other files, with the entries. */
      others?: string[];
      edits: [path: string, text: string | null][];
      project: WantedSite;
      question: SiteQuestion;
    }
  | { type: 'texts'; id: number; texts: [blob: string, text: string][]; isLast: boolean };

/** What it says: which commit or texts it lacks, then the answer. */
export type FromThread =
  | { type: 'lacks-commit'; id: number }
  | { type: 'lacks-texts'; id: number; paths: [path: string, blob: string][] }
  | { type: 'answer'; id: number; answer: unknown }
  | { type: 'failure'; id: number; message: string };

/** Commits whose sites are kept read. */
const MOST_COMMITS = 3;
/** Characters of texts that are kept for the next commit, which shares most of them. */
const MOST_CHARACTERS = 96_000_000;

type Ask = Extract<ToThread, { type: 'ask' }>;

const commits = new Map<string, BaseSite>();
const texts = new BoundedCache<string>(MOST_CHARACTERS, text => text.length);
const waiting = new Map<number, { ask: Ask; received: Map<string, string> }>();

const say = (message: FromThread): void => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToThread) => {
  (message.type === 'ask' ? receive(message) : receiveTexts(message)).catch((error: unknown) => {
    waiting.delete(message.id);
    say({ type: 'failure', id: message.id, message: error instanceof Error ? error.message : '' });
  });
});

async function receive(ask: Ask): Promise<void> {
  const base = commits.get(ask.commit);
  if (base) {
    commits.delete(ask.commit);
    commits.set(ask.commit, base);
    await answer(ask, base);
  } else if (ask.entries) {
    const lacking = ask.entries.filter(
      (entry): entry is [string, string] => entry[1] !== null && !texts.has(entry[1]),
    );
    waiting.set(ask.id, { ask, received: new Map() });
    say({ type: 'lacks-texts', id: ask.id, paths: lacking });
  } else say({ type: 'lacks-commit', id: ask.id });
}

async function receiveTexts({
  id,
  texts: portion,
  isLast,
}: Extract<ToThread, { type: 'texts' }>): Promise<void> {
  const state = waiting.get(id);
  if (!state) return;
  for (const [blob, text] of portion) state.received.set(blob, text);
  if (!isLast) return;
  waiting.delete(id);
  const { ask, received } = state;
  const own = new Map<string, string>();
  for (const [path, blob] of ask.entries ?? [])
    if (blob !== null) own.set(path, received.get(blob) ?? texts.get(blob) ?? '');
  for (const [blob, text] of received) texts.set(blob, text);
  const paths = (ask.entries ?? []).map(([path]) => path);
  const base = baseSite(
    siteSource(paths, path => own.get(path) ?? ''),
    ask.others,
  );
  commits.set(ask.commit, base);
  const [oldest = ''] = commits.keys();
  if (commits.size > MOST_COMMITS) commits.delete(oldest);
  await answer(ask, base);
}

async function answer({ id, edits, project, question }: Ask, base: BaseSite): Promise<void> {
  const found = await answerSiteQuestion(base, new Map(edits), project, question);
  say({ type: 'answer', id, answer: found });
}

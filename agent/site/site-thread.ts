import { siteSource } from '../../sites/kinds/source.ts';
import type { WantedSite } from '../../sites/project-site.ts';
import {
  answerSiteQuestion,
  baseSite,
  type BaseSite,
  type SiteQuestion,
} from './site-questions.ts';
import { BoundedCache } from '../../shared/bounded-cache.ts';
import { type AskBack, serveThread } from '../../shared/threads/serve-thread.ts';

/** A question about a commit's site, with a job's edits. */
export interface AskedSite {
  commit: string;
  edits: [path: string, text: string | null][];
  project: WantedSite;
  question: SiteQuestion;
}

/** What the thread asks back if it does not know it: files of the commit, then their texts. */
export type Lacking = 'files' | Blob[];

export type Blob = [path: string, id: string];

export interface CommitFiles {
  /** Path and blob id of each that a site is made of, the id only where the text is needed. */
  entries: [path: string, blob: string | null][];
  /** Paths of the others. */
  others: string[];
}

/** Of blobs, the texts of the first ones: as many as go into one message. */
export type SiteReply = CommitFiles | string[];

/** Commits whose sites are kept read. */
const MOST_COMMITS = 3;
/** Blobs that are asked for at once, of which some are answered. */
const MOST_ASKED = 1_000;
/** Characters of texts that are kept for the next commit, which shares most of them. */
const MOST_CHARACTERS = 96_000_000;

const commits = new Map<string, BaseSite>();
const texts = new BoundedCache<string>(MOST_CHARACTERS, text => text.length);

serveThread(
  async ({ commit, edits, project, question }: AskedSite, askBack: AskBack<Lacking, SiteReply>) => {
    const base = commits.get(commit) ?? (await readSite(askBack));
    commits.delete(commit);
    commits.set(commit, base);
    const [oldest = ''] = commits.keys();
    if (commits.size > MOST_COMMITS) commits.delete(oldest);
    return answerSiteQuestion(base, new Map(edits), project, question);
  },
);

async function readSite(askBack: AskBack<Lacking, SiteReply>): Promise<BaseSite> {
  const { entries, others } = (await askBack('files')) as CommitFiles;
  const own = new Map<string, string>();
  let lacking: Blob[] = [];
  for (const [path, blob] of entries) {
    const text = blob === null ? undefined : texts.get(blob);
    if (text !== undefined) own.set(path, text);
    else if (blob !== null) lacking.push([path, blob]);
  }
  while (lacking.length > 0) {
    const portion = (await askBack(lacking.slice(0, MOST_ASKED))) as string[];
    for (const [i, text] of portion.entries()) {
      const [path, blob] = lacking[i] ?? ['', ''];
      own.set(path, text);
      texts.set(blob, text);
    }
    lacking = lacking.slice(portion.length);
  }
  const paths = entries.map(([path]) => path);
  return baseSite(
    siteSource(paths, path => own.get(path) ?? ''),
    others,
  );
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFrontMatter } from '../sites/outline/front-matter.ts';
import type { ContextRepository } from '../shared/context-repositories.ts';

const FOLDER = join(import.meta.dirname, 'ready');
/** What a file that watches a repository has in its place. */
const REPOSITORY = 'repo: owner/name, branch: main';

/** An automation that people add as it is, or change in its pull request. */
export interface ReadyMade {
  /** The file's name, without its ending. */
  id: string;
  name: string;
  text: string;
  /** It watches a context repository. */
  needsRepository: boolean;
}

export async function readyMade(): Promise<ReadyMade[]> {
  const files = (await readdir(FOLDER)).filter(file => file.endsWith('.md')).sort();
  return Promise.all(
    files.map(async file => {
      const text = await readFile(join(FOLDER, file), 'utf8');
      const { name } = readFrontMatter(text).members;
      const needsRepository = text.includes(REPOSITORY);
      return { id: file.slice(0, -'.md'.length), name: String(name), text, needsRepository };
    }),
  );
}

/** The file for a project: it watches the first of its context repositories. */
export function fileFor(
  { text }: ReadyMade,
  [first]: readonly Pick<ContextRepository, 'repository' | 'ref'>[],
): string {
  if (!first) return text;
  return text.replace(REPOSITORY, `repo: ${first.repository}, branch: ${first.ref}`);
}

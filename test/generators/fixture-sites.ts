import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuiltKind } from './packages.ts';

/** What the jobs and the checks of a fixture site have to know of it. */
export interface FixtureSite {
  /** Folder of the pages, and the ending of their files. */
  docsFolder: string;
  ending: string;
  /** The new page as the kind has it: title in front matter, or as a heading. */
  hasTitleInFrontMatter: boolean;
  /** Whether an old address is answered, so that a move and a deletion leave one behind. */
  hasRedirects: boolean;
}

export const SITES: Record<BuiltKind, FixtureSite> = {
  docusaurus: site('docs', '.md', false, true),
  mkdocs: site('docs', '.md', false, true),
  vitepress: site('docs', '.md', false, false),
  starlight: site('src/content/docs', '.md', true, true),
  mdbook: site('src', '.md', false, true),
  hugo: site('content', '.md', true, true),
  // Its redirects are in conf.py, which is code and is not edited.
  sphinx: site('docs', '.md', false, false),
};

/** Kinds that no generator of ours builds. */
export const OWN_CHECK: Record<string, FixtureSite> = {
  'docs-json': site('docs', '.mdx', true, true),
  folder: site('docs', '.md', false, false),
};

function site(
  docsFolder: string,
  ending: string,
  hasTitleInFrontMatter: boolean,
  hasRedirects: boolean,
): FixtureSite {
  return { docsFolder, ending, hasTitleInFrontMatter, hasRedirects };
}

export function fixtureFolder(kind: string): string {
  return join(import.meta.dirname, '..', 'sites', 'fixtures', kind);
}

/** The files of a folder by their path below it. */
export function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .filter(entry => entry.isFile())
      .map(entry => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')];
      }),
  );
}

/** Ten questions that the pages of every fixture site answer. */
export const QUESTIONS = [
  'How do I install Harbor?',
  'How do I verify the installation?',
  'How do I add a service?',
  'How long are logs kept?',
  'How do I change the port?',
  'How do I set environment variables?',
  'How do I make a backup?',
  'How do I restore a backup?',
  'How do I roll back an upgrade?',
  'How many services can one machine run?',
];

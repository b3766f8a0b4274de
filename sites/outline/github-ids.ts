import GithubSlugger from 'github-slugger';
import { type PageOutline, plainText, trailingBraces } from './page-outline.ts';

/** Ids of the headings as GitHub makes them, unless braces behind one match `own`. */
export function githubIds({ headings }: PageOutline, own?: RegExp): string[] {
  const slugger = new GithubSlugger();
  return headings.map(({ parts, id }) => {
    if (id !== undefined) return id;
    const text = plainText(parts);
    return own?.exec(trailingBraces(text))?.[1] ?? slugger.slug(text);
  });
}

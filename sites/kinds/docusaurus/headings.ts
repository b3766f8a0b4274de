import GithubSlugger from 'github-slugger';
import { type PageOutline, plainText, trailingBraces } from '../../outline/page-outline.ts';
import { keptOutline } from '../../outline/kept-outlines.ts';
import { importedMarkdown } from '../imported-markdown.ts';
import { shownPages } from '../includes.ts';
import { folderOf, joinPath } from '../paths.ts';
import type { ShownPages, SiteSource } from '../site-kind.ts';
import type { DocusaurusConfig } from './config.ts';

const MAX_DEPTH = 8;

/** Headings of a page, those of imported Markdown included, where their component stands. */
export function headingReader(source: SiteSource, config: DocusaurusConfig) {
  const { root } = config;
  const idsOf = (outline: PageOutline, depth = 0): string[] => {
    const slugger = new GithubSlugger();
    const own = outline.headings.map(heading => ({
      line: heading.line,
      // The title has no id, and still counts for the ones that repeat it.
      ids: [idOf(heading, slugger)].filter(() => heading.depth > 1),
    }));
    if (depth >= MAX_DEPTH) return own.flatMap(({ ids }) => ids);
    const partials = new Map(
      outline.imports.flatMap(({ name, path }): [string, string][] => {
        const file = importedFile(outline.file, path, source, root);
        return file === undefined ? [] : [[name, file]];
      }),
    );
    const inserted = outline.components.flatMap(({ name, line }) => {
      const file = partials.get(name);
      return file === undefined
        ? []
        : [{ line, ids: idsOf(source.outline(file, config.syntaxOf(file)), depth + 1) }];
    });
    return [...own, ...inserted].toSorted((a, b) => a.line - b.line).flatMap(({ ids }) => ids);
  };
  return {
    idsOf: (outline: PageOutline) => idsOf(outline),
    /** Ids written in HTML, on the page and in its partials. */
    htmlIds: (outline: PageOutline): string[] => [
      ...outline.ids,
      ...outline.imports.flatMap(({ path }) => {
        const file = importedFile(outline.file, path, source, root);
        return file === undefined ? [] : source.outline(file, config.syntaxOf(file)).ids;
      }),
    ],
    /** Whether a component of the site's own, or a partial that is missing, may add headings. */
    hasUnknownParts: (outline: PageOutline): boolean =>
      OWN_COMPONENTS.test(outline.text) ||
      outline.imports.some(({ name, path }) =>
        /\.mdx?$/.test(path)
          ? importedFile(outline.file, path, source, root) === undefined
          : // Only a name in capitals can be a component.
            /^[A-Z]/.test(name) &&
            !/^@(?:theme|docusaurus)\/|\.(?:png|svg|jpe?g|gif|webp|css|json|ya?ml|txt)$|^!!/.test(
              path,
            ),
      ),
  };
}

export function pagesWithPartials(source: SiteSource, config: DocusaurusConfig): ShownPages {
  const fileOf = (path: string, from: string) => importedFile(from, path, source, config.root);
  return shownPages(source, [importedMarkdown(fileOf)], (file, text) =>
    keptOutline(file, text, config.syntaxOf(file)),
  );
}

/** `import {Setup} from './_setup'` */
const OWN_COMPONENTS = /^import[ \t]*\{[^{}]{0,500}\}[ \t]*from[ \t]*["']\.{1,2}\//m;

/** `./_part.mdx`, `@site/docs/_part.mdx`. */
function importedFile(
  from: string,
  written: string,
  source: SiteSource,
  root: string,
): string | undefined {
  if (!/\.mdx?$/.test(written)) return undefined;
  // `_part` is written `\_part`, too.
  const path = written.replaceAll('\\', '');
  const file = path.startsWith('@site/')
    ? joinPath(root, path.slice('@site/'.length))
    : joinPath(folderOf(from), path);
  return file !== undefined && source.has(file) ? file : undefined;
}

function idOf({ parts, id }: PageOutline['headings'][number], slugger: GithubSlugger): string {
  if (id !== undefined) return id;
  const text = plainText(parts);
  const own = /^\{\s*(?:\/\*\s*)?#([^\s}*]+)\s*(?:\*\/\s*)?\}$/.exec(trailingBraces(text))?.[1];
  return own ?? slugger.slug(text);
}

import { generatorOf } from '../kinds/folder/generators.ts';
import { joinPath, folderOf, nameOf } from '../kinds/paths.ts';
import {
  FALLBACK,
  findSites,
  type FoundSite,
  isAside,
  KINDS,
  kindTitle,
  type KnownKind,
  type KnownSite,
  readSite,
  siteKind,
  type SiteKindName,
} from '../kinds/registry.ts';
import type { SiteSource } from '../kinds/site-kind.ts';
import { CannotCheck, type CheckOptions } from './check-options.ts';

/**
 * The sites of a folder that are to be checked. Throws `CannotCheck` if there is none, or if nothing
 * of one can be read.
 */
export function wantedSites(
  source: SiteSource,
  folder: string,
  { kind, config, everySite }: CheckOptions,
): { sites: KnownSite[]; others: FoundSite[] } {
  const all = findSites(source);
  const wanted =
    config === undefined
      ? all.filter(one => kind === undefined || one.kind === kind)
      : [configured(source, config, kind)];
  const own = sitesOf(wanted);
  const chosen = everySite && own.length > 0 ? own : wanted.slice(0, 1);
  const sites = chosen.map(place => readable(source, folder, place));
  if (sites.length === 0) throw new CannotCheck(`${folder} contains ${nothing(source, all, kind)}`);
  const others = sitesOf(all).filter(
    one => !chosen.some(place => place.root === one.root && place.kind === one.kind),
  );
  return { sites, others };
}

/** The sites, without examples; of two configurations in one folder the first counts. */
function sitesOf(found: readonly FoundSite[]): FoundSite[] {
  const seen = new Set<string>();
  return found.filter(site => {
    const key = `${site.kind}:${site.root}`;
    return site.kind !== FALLBACK.name && !isAside(site) && !seen.has(key) && seen.add(key);
  });
}

function readable(source: SiteSource, folder: string, place: FoundSite): KnownSite {
  const site = readSite(source, place);
  if (site && site.pages.length + (site.apiPages?.length ?? 0) > 0) return site;
  const why = [...(site?.problems ?? []), ...(site?.unread ?? [])]
    .map(({ file, message }) => ` ${file}: ${message}`)
    .slice(0, 3)
    .join('');
  throw new CannotCheck(
    `${folder} contains ${kindTitle(place.kind)} (${place.marker}), of which no page can be read.${why}`,
  );
}

function nothing(source: SiteSource, found: FoundSite[], kind: string | undefined): string {
  if (kind === undefined) return unreadFormat(source) ?? 'no docs: no Markdown pages were found.';
  const kinds = [...new Set(found.map(one => one.kind))].join(', ');
  return `no ${kind} site. Found: ${kinds === '' ? 'nothing' : kinds}.`;
}

function unreadFormat(source: SiteSource): string | undefined {
  const formats = { reStructuredText: /\.rst$/, AsciiDoc: /\.(?:adoc|asciidoc)$/ };
  const found = Object.entries(formats).find(([, ending]) =>
    source.paths.some(path => ending.test(path)),
  );
  if (!found) return undefined;
  const site = generatorOf(source, '')?.name;
  const pages = `only ${found[0]} pages${site === undefined ? '' : ` of a site of ${site}`}`;
  return `${pages}, which are not read yet. --built DIR judges by their HTML.`;
}

/** The site that a configuration file of any name configures. */
function configured(source: SiteSource, file: string, name: string | undefined): FoundSite {
  const marker = joinPath(file);
  if (marker === undefined || !source.has(marker))
    throw new CannotCheck(`There is no configuration ${file} in the folder.`);
  const kind = name === undefined ? kindOf(marker) : siteKind(name as SiteKindName);
  if (!kind) throw new CannotCheck(`Name the kind of ${file} with --kind.`);
  const isUsual = kind.marker?.test(marker) ?? false;
  const root = isUsual ? (kind.rootOf ?? folderOf)(marker) : folderOf(marker);
  return { kind: kind.name, root, marker };
}

/** `mkdocs-online.yml` configures what `mkdocs.yml` does, `docusaurus.config.en.ts` likewise. */
function kindOf(file: string): KnownKind | undefined {
  const [, word = '', ending = ''] = /^([a-z]+)\b.*?(\.[a-z]+)$/i.exec(nameOf(file)) ?? [];
  const names = [file, `${word}${ending}`, `${word}.config${ending}`];
  return KINDS.find(({ marker }) => names.some(name => marker?.test(name)));
}

import { MODULE_IMPORTS } from '../module-imports.ts';
import { markNavigation } from '../navigation.ts';
import { beside, sitePathOf } from '../paths.ts';
import type { SiteKind } from '../kind.ts';
import type { SitePlace, Site, SiteSource, Unread } from '../site-kind.ts';
import { apiReferences } from './api-references.ts';
import { type DocusaurusConfig, readDocusaurusConfig } from './config.ts';
import { type Doc, fallbacks, readDocs } from './docs.ts';
import { headingReader, pagesWithPartials } from './headings.ts';
import { resolver } from './links.ts';
import { blogRoutes, componentPages, readOtherPages } from './other-pages.ts';
import { type ReadSidebars, readSidebars } from './sidebars.ts';
import { type DocsVersion, readVersions } from './versions.ts';

/** Docusaurus: one or more docs plugins, each with versions, languages and sidebars. */
export const docusaurus: SiteKind<'docusaurus'> = {
  name: 'docusaurus',
  title: 'Docusaurus',
  marker: /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/,
  usualPages: beside('docs'),
  links: MODULE_IMPORTS,
  read: readDocusaurus,
  apiReferences,
};

function readDocusaurus(source: SiteSource, found: SitePlace): Site {
  const config = readDocusaurusConfig(source, found);
  const { docs, excluded, sidebars, elsewhere, fallbackPaths } = readAllDocs(source, config);
  const pages = [...docs, ...readOtherPages(source, config)];
  const navigation = sidebars.flatMap(one => one.navigation);
  markNavigation(pages, navigation);
  const headings = headingReader(source, config);
  const redirects = config.redirects.map(one => ({ ...one, from: sitePathOf(one.from) }));
  const generated = [
    ...sidebars.flatMap(one => one.generated),
    ...fallbackPaths,
    ...componentPages(source, config),
    ...blogRoutes(config),
    ...elsewhere.map(({ route }) => `${route}/*`),
  ];
  return {
    ownChecks: { ...config.checks, orphans: 'warns', elements: ['Link'], images: true },
    root: found.root,
    docsFolder: config.docs[0]?.folder ?? found.root,
    configFiles: config.reader.files,
    basePath: sitePathOf(config.baseUrl),
    address: config.address,
    addressRule:
      'A page has the path of its file without number prefixes; `slug` and `id` in front matter ' +
      'change it; index, README and a file named as its folder are the folder.',
    pages: pages.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    navigation,
    redirects,
    generated,
    excluded,
    unread: [
      ...config.unread,
      ...sidebars.flatMap(one => one.unread),
      ...elsewhere.map(version => notHere(version, found)),
    ],
    problems: sidebars.flatMap(one => one.problems),
    aliases: [{ prefix: '@site/', folder: found.root }],
    syntaxOf: config.syntaxOf,
    outline: file => source.outline(file, config.syntaxOf(file)),
    shown: pagesWithPartials(source, config),
    headingIds: headings.idsOf,
    anchors: outline =>
      headings.hasUnknownParts(outline) || (config.hasPreprocessor && /@@/.test(outline.text))
        ? null
        : new Set([...headings.idsOf(outline), ...headings.htmlIds(outline)]),
    resolve: resolver(source, config, pages, [...generated, ...redirects.map(one => one.from)]),
  };
}

function readAllDocs(source: SiteSource, config: DocusaurusConfig) {
  const docs: Doc[] = [];
  const excluded: string[] = [];
  const sidebars: ReadSidebars[] = [];
  const elsewhere: DocsVersion[] = [];
  const fallbackPaths: string[] = [];
  for (const plugin of config.docs) {
    for (const version of readVersions(source, config, plugin)) {
      const read = readDocs(source, config, plugin, version);
      if (!source.hasFolder(version.folder)) elsewhere.push(version);
      docs.push(...read.docs);
      excluded.push(...read.excluded);
      for (const locale of config.locales) {
        const untranslated = fallbacks(read.docs, config, locale);
        const own = [...read.docs.filter(doc => doc.locale === locale), ...untranslated];
        fallbackPaths.push(...untranslated.map(({ path }) => path));
        sidebars.push(readSidebars(source, config, version, own, locale));
      }
    }
  }
  return { docs, excluded, sidebars, elsewhere, fallbackPaths };
}

/** Docs that the build brings in, or a link to another folder. */
function notHere({ folder, name }: DocsVersion, found: SitePlace): Unread {
  const message = `The docs of version ${name} would be in ${folder}, which has no files.`;
  return { file: found.marker, line: null, message };
}

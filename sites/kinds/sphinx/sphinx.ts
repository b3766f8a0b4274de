import { markNavigation } from '../navigation.ts';
import {
  basePathOf,
  folderOf,
  isExternal,
  joinPath,
  nameOf,
  originOf,
  splitUrl,
} from '../paths.ts';
import type { SiteKind, LinkSyntax, OwnLinkKind } from '../kind.ts';
import type {
  OwnChecks,
  SitePlace,
  Site,
  SiteLink,
  SiteProblem,
  SiteSource,
  Unread,
} from '../site-kind.ts';
import { apiReferences } from './api-references.ts';
import { readSphinxConfig, type SphinxConfig } from './config.ts';
import {
  hasHeadingInOwnDirective,
  markUnlisted,
  readDocuments,
  shownBySphinx,
  type SphinxDocument,
} from './documents.ts';
import { docutilsId, labelsOf, sectionIds } from './ids.ts';
import { withRoles } from './roles.ts';
import { readToctrees } from './toctree.ts';

/** `` `target` `` and `` `Title <target>` `` */
const TARGET = '`(?:[^`<\\n]*<([^<>`\\n]+)>|([^`<>\\n]+))`';
const BLOCKS = '(?:include|literalinclude|figure|image|openapi)';

/** Directives and roles of reStructuredText and MyST that name files, documents and labels. */
const REFERENCES: readonly LinkSyntax[] = [
  syntax(
    'include',
    `^[ \\t]*\\.\\.[ \\t]+(?:\\|[^|\\n]+\\|[ \\t]+)?${BLOCKS}::[ \\t]+(\\S+)[ \\t]*$`,
  ),
  syntax('include', '^[ \\t]+:file:[ \\t]+(\\S+)[ \\t]*$'),
  syntax('include', `:download:${TARGET}`),
  syntax('link', `:doc:${TARGET}`),
  syntax('name', `:(?:num)?ref:${TARGET}`),
  syntax('include', `^[ \\t>]*[\`:~]{3,}\\{${BLOCKS}\\}[ \\t]+([^\\s<>]+)[ \\t]*$`),
  syntax('include', `\\{download\\}${TARGET}`),
  syntax('link', `\\{doc\\}${TARGET}`),
  syntax('name', `\\{(?:num)?ref\\}${TARGET}`),
  // `autosectionlabel_prefix_document` puts the document before each section.
  syntax('top', '(?:\\{(?:num)?ref\\}|:(?:num)?ref:)`(?:[^`<\\n]*<)?([\\w./-]+):[^`\\n]'),
  { kind: 'link', pattern: /[(<]project:([^()<>\s#]+)/dg },
  { kind: 'link', pattern: /^[ \t]*:link:[ \t]+(\S+)[ \t]*\n[ \t]*:link-type:[ \t]+doc\b/dgm },
];

function syntax(kind: OwnLinkKind, source: string): LinkSyntax {
  return { kind, pattern: new RegExp(source, 'dgm') };
}

/** The page that has a label. */
function filesByLabel(
  source: SiteSource,
  documents: readonly SphinxDocument[],
  outline: Site['outline'],
): (label: string) => string | undefined {
  let known: Map<string, string> | undefined;
  return label => {
    known ??= new Map(
      documents.flatMap(({ file, isMarkdown }) =>
        labelsOf(isMarkdown ? outline(file).text : (source.read(file) ?? '')).map(
          name => [name.toLowerCase(), file] as const,
        ),
      ),
    );
    return known.get(label.toLowerCase());
  };
}

/** Sphinx with MyST Markdown; reStructuredText is listed, not read. */
export const sphinx: SiteKind<'sphinx'> = {
  name: 'sphinx',
  title: 'Sphinx',
  choice: 'Sphinx (Markdown)',
  marker: /(?:^|\/)conf\.py$/,
  isMarker: (source, path) =>
    /\b(?:extensions|html_theme|project)\s*=/.test(source.read(path) ?? ''),
  usualPages: folderOf,
  settings: /(?:^|\/)(?:conf\.py|redirects\.txt)$/,
  texts: /\.rst$/,
  links: REFERENCES,
  read: readSphinx,
  apiReferences,
};

function readSphinx(source: SiteSource, found: SitePlace): Site {
  const config = readSphinxConfig(source, found);
  const { documents, excluded } = readDocuments(source, found.root, config);
  const { navigation, problems } = readToctrees(source, documents, config.rootDoc);
  markNavigation(documents, navigation);
  for (const document of documents)
    if (document.name === config.rootDoc) document.inNavigation = true;
  markUnlisted(source, documents);
  const made = problems.filter(({ link }) => isMadeByConfig(source, found, link ?? ''));
  const shown = shownBySphinx(source, found.root);
  const outline = withRoles(shown.outline);
  const labelled = filesByLabel(source, documents, outline);
  return {
    ownChecks: ownChecksOf(config),
    root: found.root,
    docsFolder: found.root,
    configFiles: config.files,
    basePath: basePathOf(config.baseUrl ?? undefined),
    address: originOf(config.baseUrl),
    addressRule: config.isDirHtml
      ? 'A page is the folder of its name; index is its folder.'
      : 'A page has the path of its file with .html.',
    pages: documents,
    navigation,
    redirects: config.redirects.map(({ from, to, file, line }) => ({ from, to, file, line })),
    generated: ['/genindex', '/search', '/py-modindex', '/_modules/*'],
    excluded,
    unread: [
      ...config.unread,
      ...made.map(({ link }) => notRead(found, `The build makes ${link}, which a toctree names.`)),
      ...restructuredText(found, documents),
    ],
    problems: [
      ...problems.filter(problem => !made.includes(problem)),
      ...missingTargets(config, documents).filter(
        ({ link }) => !isMadeByConfig(source, found, link ?? ''),
      ),
    ],
    outline,
    shown,
    headingIds: page => sectionIds(page, config.ids),
    anchors: page =>
      hasHeadingInOwnDirective(source.read(page.file) ?? '') ? null : anchorsOf(page, config),
    resolve: resolver(source, found, config, documents, labelled, made.length > 0),
    fileNamed: labelled,
  };
}

/** A strict build stops for each warning that is not suppressed, by its name or its group. */
function ownChecksOf({ suppressed }: SphinxConfig): OwnChecks {
  const isLeft = (name: string) =>
    [name, name.replace(/\..*/, ''), name.replace(/\..*/, '.*')].some(one =>
      suppressed.includes(one),
    );
  const links = isLeft('myst.xref_missing') ? 'none' : 'stops';
  const orphans = isLeft('toc.not_included') ? 'none' : 'stops';
  const images = !isLeft('image.not_readable');
  return { links, anchors: links, orphans, elements: ['ref', 'doc'], images };
}

function notRead(found: SitePlace, message: string): Unread {
  return { file: found.marker, line: null, message };
}

function restructuredText(found: SitePlace, documents: readonly SphinxDocument[]): Unread[] {
  const count = documents.filter(document => !document.isMarkdown).length;
  const message = `${count} pages are reStructuredText, whose text is not read yet.`;
  return count === 0 ? [] : [notRead(found, message)];
}

/** Extensions that write documents from code or data. */
const MAKING = /\b(?:autodoc2|autoapi|apidoc|sphinx_gallery|nbgallery|autosummary_generate)\b/;

/** Whether conf.py names a file like this and writes files, or an extension makes documents. */
function isMadeByConfig(source: SiteSource, found: SitePlace, target: string): boolean {
  const config = source.read(found.marker) ?? '';
  if (MAKING.test(config)) return true;
  const writes = /\bshutil\.|\bcopy|\bwrite|\bopen\(|\bsubprocess\b|\bos\.system\b/.test(config);
  // Of `manpages/*` it names the folder.
  const named = nameOf(target.replace(/\/[^/]*[*?[].*$/, '')).replace(/\.\w+$/, '');
  return writes && named !== '' && config.includes(named);
}

function missingTargets(config: SphinxConfig, documents: readonly SphinxDocument[]): SiteProblem[] {
  // One redirect may lead to another.
  const paths = new Set(
    [...documents, ...config.redirects.map(({ from }) => ({ path: from }))].map(({ path }) => path),
  );
  return config.redirects
    .filter(({ to, toDocument }) => toDocument && to.startsWith('/') && !paths.has(to))
    .map(({ from, to, file, line }) => {
      const message = `The redirect from ${from} leads to ${to}, which does not exist.`;
      return { rule: 'redirect', file, line, link: to, message };
    });
}

function anchorsOf(
  page: ReturnType<Site['outline']>,
  config: SphinxConfig,
): ReadonlySet<string> | null {
  if (config.ids.hasOwnSlugs) return null;
  // Directives of extensions add sections and ids of their own.
  if (/\{(?:auto\w+|include|eval-rst|jsonschema)\}|\.rst$/.test(page.text + page.file)) return null;
  const labels = labelsOf(page.text);
  return new Set([
    ...sectionIds(page, { ...config.ids, slugDepth: 6 }),
    ...labels,
    ...labels.map(docutilsId),
  ]);
}

/** Labels that Sphinx makes itself. */
const MADE = /^(?:genindex|modindex|py-modindex|search)$/;

/** As MyST: paths name files, `#x` and bare names may be any target of the project. */
function resolver(
  source: SiteSource,
  found: SitePlace,
  { otherProjects }: SphinxConfig,
  documents: readonly SphinxDocument[],
  labelled: (label: string) => string | undefined,
  hasMadePages: boolean,
): Site['resolve'] {
  const folder = found.root;
  const byFile = new Map(documents.map(document => [document.file, document]));
  // Labels of sections, of code and of other projects are not known.
  const makesLabels = /auto(?:doc|api|summary|sectionlabel)|intersphinx/.test(
    source.read(found.marker) ?? '',
  );
  return (url, file): SiteLink => {
    const isStrict = url.startsWith('project:');
    if ((!isStrict && isExternal(url)) || /\{\{|^\{/.test(url)) return { kind: 'external' };
    const { path, anchor } = splitUrl(isStrict ? url.slice('project:'.length) : url);
    const own = byFile.get(file);
    if (path === '') {
      // `Spawner.start` is an object of some code, a name with spaces a term of a glossary.
      if (anchor === null) return { kind: 'unchecked' };
      if (isStrict && (makesLabels || MADE.test(anchor)))
        return { kind: 'unchecked', name: anchor };
      if (!own || labelled(anchor) !== undefined || /[A-Z. /]/.test(anchor))
        return { kind: 'unchecked', name: anchor };
      return { kind: 'page', page: own, anchor };
    }
    // `name:target` is of another project.
    const [project = ''] = path.split(':');
    if (isStrict && project !== path && otherProjects.includes(project))
      return { kind: 'unchecked', name: path };
    const target = path.startsWith('/') ? joinPath(folder, path) : joinPath(folderOf(file), path);
    const candidates = [target, ...['.md', '.rst', '.ipynb'].map(one => `${target}${one}`)];
    const page = candidates.map(one => byFile.get(one ?? '')).find(one => one !== undefined);
    // Without its ending a page is a reference, which has no anchor.
    if (page && anchor !== null && page.file !== target) return { kind: 'missing', path: url };
    if (page) return { kind: 'page', page, anchor };
    if (target !== undefined && (source.has(target) || source.hasFolder(target)))
      return { kind: 'file', file: target };
    // The name may be a target of a page that the build makes.
    if (hasMadePages && !isStrict && /^[^/]+\.md$/.test(path)) return { kind: 'unchecked' };
    // A bare name is a reference, perhaps to an object of some code.
    const isFile = isStrict || /\.(?:md|rst|ipynb|png|svg|jpe?g|gif)$/.test(path);
    return isFile ? { kind: 'missing', path } : { kind: 'unchecked', name: path };
  };
}

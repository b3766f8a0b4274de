import { asString, at, asStrings } from '../../../sites/code/static-value.ts';
import type { Shape } from '../code-navigation/write-literal.ts';
import { codeNavigation } from '../code-navigation/code-navigation.ts';
import { withFrontMatterNumber } from '../code-navigation/front-matter-number.ts';
import { mentionsIn } from '../code-navigation/mentions.ts';
import { onlyNavigationChanges, type NavigationForm } from '../code-navigation/other-changes.ts';
import type {
  Mention,
  WrittenEntry,
  WrittenNavigation,
  WrittenRedirect,
} from '../code-navigation/written-navigation.ts';
import { below, sitePathOf, nameOf } from '../../../sites/kinds/paths.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';
import {
  type DocusaurusConfig,
  readDocusaurusConfig,
  redirectOptions,
} from '../../../sites/kinds/docusaurus/config.ts';
import { type Doc, readDocs } from '../../../sites/kinds/docusaurus/docs.ts';
import { writtenSidebars } from './written-sidebars.ts';
import { readVersions } from '../../../sites/kinds/docusaurus/versions.ts';
import { isScalar } from 'yaml';
import { parseBoundedYaml } from '../../../sites/bounded-yaml.ts';
import { ModuleReader } from '../../../sites/code/read-module.ts';

/** Sidebars in JavaScript, TypeScript and JSON, `_category_` files, and the redirects plugin. */
export const docusaurusNavigation = codeNavigation(readNavigation, (site, file, before, after) =>
  onlyNavigationChanges(NAVIGATION_FORM, site, file, before, after),
);

function readNavigation(source: SiteSource, site: Site): WrittenNavigation | { refused: string } {
  const [marker] = site.configFiles;
  if (marker === undefined || !source.has(marker))
    return {
      refused: 'The configuration of the site cannot be read, so its sidebars are not edited.',
    };
  const config = readDocusaurusConfig(source, { root: site.root, marker });
  const versions = config.docs.flatMap(plugin =>
    readVersions(source, config, plugin).map(version => {
      const docs = readDocs(source, config, plugin, version).docs.filter(
        doc => doc.locale === config.defaultLocale,
      );
      return { version, docs, lists: writtenSidebars(source, config, version, docs) };
    }),
  );
  const docs = new Map(versions.flatMap(one => one.docs).map(doc => [doc.file, doc]));
  const lists = versions.flatMap(one => one.lists);
  const redirects = writtenRedirects(config, marker);
  const sidebarFiles = versions.flatMap(({ version: { sidebarFile } }) => sidebarFile || []);
  const categories = versions.flatMap(({ version }) => categoryFiles(source, version.folder));
  const files = [...new Set([...sidebarFiles, marker, ...categories])];
  return {
    files: files.filter(file => source.has(file)),
    rule: ruleOf(sidebarFiles),
    lists,
    redirects: redirects.list,
    redirectPlace: redirects.place,
    mentions: mentionedDocs(config, docs, marker),
    unread: [...config.unread, ...site.unread.filter(({ message }) => /sidebar/.test(message))],
    listsFor: file => versions.find(one => one.docs.some(doc => doc.file === file))?.lists ?? [],
    targetOf: (file, model) => targetOf(docs.get(file), model, config),
    pageShape: (file, title, model) => pageShape(docs.get(file), title, model),
    groupShape: (label, items) => ({ type: 'category', label, items }),
    titledShape: (entry, label) => titledShape(entry, label),
    redirectShape: (from, to) => ({ value: { from, to } }),
    redirectTarget: file => redirectPath(docs.get(file), config),
    sitePathOf: file => docs.get(file)?.path,
    placeInFolder: (file, number, from) =>
      withFrontMatterNumber(from.read(file) ?? '', ['sidebar_position'], number),
    numberOf: file => docs.get(file)?.position,
    alsoMoved: (from, to) => movedCategoryLinks(source, categories, docs.get(from), docs.get(to)),
  };
}

function ruleOf(sidebarFiles: readonly string[]): string {
  const [first] = sidebarFiles;
  return first === undefined
    ? 'The sidebars are made from the folders: `sidebar_position` in front matter, number ' +
        'prefixes and `_category_` files order them.'
    : `The sidebars are in ${[...new Set(sidebarFiles)].join(', ')}: entries name doc ids.`;
}

/** A doc id, or the address where the menu or the footer names it. */
function targetOf(
  doc: Doc | undefined,
  model: WrittenEntry | Mention | undefined,
  config: DocusaurusConfig,
): string | undefined {
  if (!doc || !model || !('file' in model) || 'type' in model) return doc?.docId;
  const { literal, key } = model.target;
  const name = key && (config.reader.read(literal.file) ?? '').slice(key.start, key.end);
  return name !== undefined && /id/i.test(name) ? doc.docId : doc.path;
}

function pageShape(
  doc: Doc | undefined,
  title: string | undefined,
  model: WrittenEntry | undefined,
): Shape {
  const id = doc?.docId ?? '';
  if (title !== undefined) return { type: 'doc', id, label: title };
  // Like the entry beside it, unless that one is an object for the sake of its label.
  const isObject = model?.type === 'page' && model.value?.kind === 'object' && !model.label;
  return isObject ? { type: 'doc', id } : id;
}

function titledShape(entry: WrittenEntry, label: string): Shape {
  const { value } = entry;
  const id = asString(value) ?? asString(at(value, 'id')) ?? '';
  return { type: asString(at(value, 'type')) ?? 'doc', id, label };
}

/** As the plugin has it: without the base path, with the closing slash of the page. */
function redirectPath(doc: Doc | undefined, config: DocusaurusConfig): string | undefined {
  if (!doc) return undefined;
  return config.trailingSlash && doc.path !== '/' ? `${doc.path}/` : doc.path;
}

/** The menu and the footer name docs by id or by address; the build stops where one is missing. */
function mentionedDocs(
  config: DocusaurusConfig,
  docs: ReadonlyMap<string, Doc>,
  marker: string,
): Mention[] {
  const theme = at(config.reader.configuration(marker), 'themeConfig');
  const base = sitePathOf(config.baseUrl);
  const byPath = new Map([...docs.values()].map(doc => [doc.path, doc.file]));
  const byId = new Map([...docs.values()].map(doc => [doc.docId, doc.file]));
  const fileAt = (path: string) =>
    byPath.get(sitePathOf(path)) ?? byPath.get(`/${below(base.slice(1), path.slice(1)) ?? ''}`);
  return [
    ...mentionsIn(theme, ['docId'], text => byId.get(text)),
    ...mentionsIn(theme, ['to', 'href'], text => (text.startsWith('/') ? fileAt(text) : undefined)),
  ];
}

/** Sidebars, the menu, the footer's links, redirects, and `_category_` files. */
const NAVIGATION_FORM: NavigationForm = {
  members: {
    type: 'word',
    id: 'target',
    docId: 'target',
    dirName: 'target',
    href: 'target',
    to: 'target',
    from: 'target',
    slug: 'target',
    label: 'title',
    title: 'title',
    description: 'title',
    items: 'target',
    link: 'target',
    position: 'word',
    collapsed: 'word',
    collapsible: 'word',
    sidebarId: 'word',
  },
  parts(reader, file, isMain) {
    if (!isMain) return reader.exported(file);
    const config = reader.configuration(file);
    return [
      at(redirectOptions(config), 'redirects'),
      at(config, 'themeConfig', 'navbar', 'items'),
      at(config, 'themeConfig', 'footer', 'links'),
    ];
  },
};

/** The redirects of `@docusaurus/plugin-client-redirects`, and where another one goes. */
function writtenRedirects(
  config: DocusaurusConfig,
  marker: string,
): { list: WrittenRedirect[]; place: WrittenNavigation['redirectPlace'] } {
  const options = redirectOptions(config.reader.configuration(marker));
  const redirects = at(options, 'redirects');
  const literal = redirects?.kind === 'array' ? redirects.literal : undefined;
  const list = (redirects?.kind === 'array' ? redirects.items : []).flatMap((item, index) => {
    const slot = redirects?.kind === 'array' ? redirects.slots[index] : undefined;
    const target = item.kind === 'object' ? item.slots.get('to') : undefined;
    const to = asString(at(item, 'to'));
    if (!slot || !target || to === undefined) return [];
    return asStrings(at(item, 'from')).map(from => ({
      from: sitePathOf(from),
      to: to.startsWith('/') ? sitePathOf(to) : to,
      target,
      slot,
      line: item.line,
    }));
  });
  if (literal) return { list, place: { literal } };
  if (options?.kind === 'object' && !redirects)
    return { list, place: { literal: options.literal, member: 'redirects' } };
  return { list, place: { missing: `${marker} has no list of redirects` } };
}

/** The `_category_` files of a version, which name and order its folders. */
function categoryFiles(source: SiteSource, folder: string): string[] {
  return source.paths.filter(
    path => /^_category_\.(?:json|ya?ml)$/.test(nameOf(path)) && below(folder, path) !== undefined,
  );
}

/** A category may be linked with a page by its id, which changes when the page moves. */
function movedCategoryLinks(
  source: SiteSource,
  files: readonly string[],
  from: Doc | undefined,
  to: Doc | undefined,
): { file: string; start: number; end: number; text: string }[] {
  if (!from || !to) return [];
  return files.flatMap(file => {
    const place = linkedId(source.read(file) ?? '', file);
    if (!place || place.id !== from.docId) return [];
    const text = file.endsWith('.json') ? JSON.stringify(to.docId) : to.docId;
    return [{ file, start: place.start, end: place.end, text }];
  });
}

function linkedId(
  text: string,
  file: string,
): { id: string; start: number; end: number } | undefined {
  if (file.endsWith('.json')) {
    const value = at(new ModuleReader(() => text).defaultExport(file), 'link', 'id');
    const id = asString(value);
    return value && id !== undefined ? { id, start: value.start, end: value.end } : undefined;
  }
  const document = parseBoundedYaml(text);
  const node = document.errors.length > 0 ? undefined : document.getIn(['link', 'id'], true);
  if (!isScalar(node) || !node.range) return undefined;
  return { id: String(node.value), start: node.range[0], end: node.range[1] };
}

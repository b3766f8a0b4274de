import { folderOf, joinPath } from '../paths.ts';
import { isObject, objectOf, textOf } from '../../values.ts';
import { parseYaml } from '../yaml.ts';
import type { SitePlace, SiteProblem, SiteSource } from '../site-kind.ts';

/** The members of `mkdocs.yml`, with those of the files it inherits. */
export type MkDocsSettings = Record<string, unknown>;

export interface MkDocsConfig {
  settings: MkDocsSettings;
  docsFolder: string;
  siteUrl: string | null;
  directoryUrls: boolean;
  /** Name to options of every plugin; `material/search` and `search` are one. */
  plugins: Map<string, Record<string, unknown>>;
  /** Name to options of every Markdown extension. */
  extensions: Map<string, Record<string, unknown>>;
  files: string[];
  problems: SiteProblem[];
}

export const MKDOCS_CONFIG = /(?:^|\/)mkdocs\.ya?ml$/;

export function readMkDocsConfig(source: SiteSource, found: SitePlace): MkDocsConfig {
  const problems: SiteProblem[] = [];
  const files: string[] = [];
  const settings = readSettings(source, found.marker, files, problems);
  const docsFolder = joinPath(found.root, textOf(settings.docs_dir) ?? 'docs') ?? 'docs';
  return {
    settings,
    docsFolder,
    siteUrl: textOf(settings.site_url) ?? null,
    directoryUrls: settings.use_directory_urls !== false,
    plugins: namedOptions(settings.plugins),
    extensions: namedOptions(settings.markdown_extensions),
    files,
    problems,
  };
}

function readSettings(
  source: SiteSource,
  file: string,
  files: string[],
  problems: SiteProblem[],
): MkDocsSettings {
  const text = source.read(file);
  if (text === undefined || files.includes(file) || files.length > 10) return {};
  files.push(file);
  const { value, error } = parseYaml(text);
  if (error) problems.push({ rule: 'configuration', file, ...error, link: null });
  const own = objectOf(value);
  const parent = textOf(own.INHERIT);
  const parentFile = parent === undefined ? undefined : joinPath(folderOf(file), parent);
  return parentFile === undefined
    ? own
    : merged(readSettings(source, parentFile, files, problems), own);
}

/** As MkDocs inherits: objects are merged, everything else is replaced. */
function merged(parent: MkDocsSettings, own: MkDocsSettings): MkDocsSettings {
  const result: MkDocsSettings = { ...parent };
  for (const [name, value] of Object.entries(own)) {
    const inherited = parent[name];
    result[name] = isObject(value) && isObject(inherited) ? merged(inherited, value) : value;
  }
  return result;
}

/** `- search`, `- search: {…}` and `search: {…}` are the same. */
function namedOptions(value: unknown): Map<string, Record<string, unknown>> {
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.flatMap((item): [string, unknown][] =>
        typeof item === 'string' ? [[item, {}]] : Object.entries(objectOf(item)),
      )
    : Object.entries(objectOf(value));
  return new Map(
    entries.map(([name, options]) => [name.replace(/^material\//, ''), objectOf(options)]),
  );
}

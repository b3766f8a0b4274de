import { pathMatcher } from '../../glob.ts';
import { objectOf } from '../../values.ts';
import { folderOf, joinPath } from '../paths.ts';
import type { SiteSource } from '../site-kind.ts';
import { MKDOCS_CONFIG, type MkDocsConfig, readMkDocsConfig } from './config.ts';
import { inheritingLanguage } from './languages.ts';

/**
 * Whether a configuration is for a part of another site: for a language of the one that it inherits,
 * or one that the plugin monorepo brings in, perhaps as a copy, without an address and a theme of its
 * own.
 */
export function isPart(source: SiteSource, file: string): boolean {
  const text = source.read(file) ?? '';
  if (/^INHERIT\s*:/m.test(text)) {
    const inherited = configAt(source, file).files.slice(1);
    const isLanguage = inherited.some(
      main => MKDOCS_CONFIG.test(main) && inheritingLanguage(source, configAt(source, main), file),
    );
    if (isLanguage) return true;
  }
  if (/^(?:site_url|theme)\s*:/m.test(text)) return false;
  return bringing(source).some(({ path, brings }) => path !== file && brings(file));
}

function configAt(source: SiteSource, file: string): MkDocsConfig {
  return readMkDocsConfig(source, { root: folderOf(file), marker: file });
}

interface Bringing {
  path: string;
  brings(file: string): boolean;
}

/** Read once for all the configurations of a repository, of which each may be brought in. */
const KNOWN = new WeakMap<SiteSource, Bringing[]>();

function bringing(source: SiteSource): Bringing[] {
  const known = KNOWN.get(source) ?? source.paths.flatMap(path => includesOf(source, path));
  KNOWN.set(source, known);
  return known;
}

/** What a site with the plugin has in its navigation as `!include` or, with globs, `*include`. */
function includesOf(source: SiteSource, path: string): Bringing[] {
  if (!MKDOCS_CONFIG.test(path)) return [];
  if (!/monorepo|^INHERIT\s*:/m.test(source.read(path) ?? '')) return [];
  const { plugins, settings } = configAt(source, path);
  if (!plugins.has('monorepo')) return [];
  // Without quotes, `!include` is a tag, which the reader of YAML leaves out.
  const targets = [...textsIn(settings.nav)]
    .flatMap(text => joinPath(folderOf(path), text.replace(/^[!*]include\s+/, '')) ?? [])
    .filter(target => MKDOCS_CONFIG.test(target));
  const files = new Set(targets);
  // The build copies files to where a name of the list has none.
  const isCopied = targets.some(target => !target.includes('*') && !source.has(target));
  const matches = pathMatcher(
    targets.filter(target => target.includes('*')),
    { dot: true },
  );
  return files.size > 0
    ? [{ path, brings: file => isCopied || files.has(file) || matches(file) }]
    : [];
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else
    for (const one of Object.values(Array.isArray(value) ? value : objectOf(value)))
      yield* textsIn(one);
}

import { linearPattern } from '../../glob.ts';
import { readSphinxConfig } from './config.ts';
import { folderOf, nameOf } from '../paths.ts';
import type { Site, SiteSource } from '../site-kind.ts';
import { type ApiReference, fileFrom, NOWHERE } from '../../openapi/api-reference.ts';
import type { ApiOperation } from '../../openapi/operations.ts';

/** `sphinxcontrib.openapi`: the directive shows a description on its page. */
export function apiReferences(source: SiteSource, site: Site): ApiReference[] {
  const marker = site.configFiles.find(file => nameOf(file) === 'conf.py');
  if (marker === undefined) return [];
  const { extensions } = readSphinxConfig(source, { root: site.root, marker });
  if (!extensions.includes('sphinxcontrib.openapi')) return [];
  return site.pages.flatMap(page =>
    directivesOf(source.read(page.file) ?? '').map(({ named, options }): ApiReference => {
      const folder = named.startsWith('/') ? site.root : folderOf(page.file);
      return {
        ...NOWHERE,
        file: fileFrom(source, folder, named),
        named,
        from: page.file,
        wants: operation => isShown(operation, options),
        pathOf: () => page.path,
        anchorOf: resourceId,
      };
    }),
  );
}

interface Directive {
  named: string;
  /** Words of each option. */
  options: ReadonlyMap<string, string[]>;
}

/** In reStructuredText, and in MyST's fences. */
function directivesOf(text: string): Directive[] {
  const found: Directive[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const [, indent = '', named] =
      /^([ \t]*)\.\. openapi(?::httpdomain)?::[ \t]+(\S.*?)\s*$/.exec(line) ?? [];
    const [, fence = '', inFence] =
      /^[ \t]*([`:~]{3,})\{openapi\}[ \t]+(\S.*?)\s*$/.exec(line) ?? [];
    if (named !== undefined)
      found.push({ named, options: optionsOf(indentedBelow(lines, index + 1, indent.length)) });
    if (inFence !== undefined)
      found.push({ named: inFence, options: optionsOf(fenced(lines, index + 1, fence)) });
  }
  return found;
}

function indentedBelow(lines: readonly string[], from: number, indent: number): string[] {
  const end = lines.findIndex(
    (line, i) => i >= from && line.trim() !== '' && line.search(/\S/) <= indent,
  );
  return lines.slice(from, end < 0 ? lines.length : end);
}

function fenced(lines: readonly string[], from: number, fence: string): string[] {
  const end = lines.findIndex((line, i) => i >= from && line.trim().startsWith(fence));
  return lines.slice(from, end < 0 ? lines.length : end);
}

/** `:paths: /a /b`, also with the words on the lines below. */
function optionsOf(lines: readonly string[]): Map<string, string[]> {
  const options = new Map<string, string[]>();
  let words: string[] | undefined;
  for (const line of lines) {
    const [, name, rest = ''] = /^\s*:(\w+):(.*)$/.exec(line) ?? [];
    if (name !== undefined) options.set(name, (words = []));
    words?.push(...(name === undefined ? line : rest).split(/\s+/).filter(word => word !== ''));
  }
  return options;
}

function isShown({ route, method }: ApiOperation, options: Directive['options']): boolean {
  const named = options.get('paths');
  const included = options.get('include');
  const methods = options.get('methods');
  const matches = (pattern: string) => linearPattern(pattern)?.matcher(route).lookingAt() ?? false;
  if (methods && !methods.some(one => one.toUpperCase() === method)) return false;
  if (options.get('exclude')?.some(matches)) return false;
  if (!named && !included) return true;
  return (named?.includes(route) ?? false) || (included?.some(matches) ?? false);
}

/** As `sphinxcontrib.httpdomain` makes it. */
function resourceId({ method, route }: ApiOperation): string {
  return `${method.toLowerCase()}-${route.replace(/[<>:/]/g, '-').replace(/[{}]/g, '')}`;
}

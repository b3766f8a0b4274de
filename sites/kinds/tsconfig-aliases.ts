import { parse } from 'jsonc-parser';
import { objectOf, stringsOf, textOf } from '../values.ts';
import { joinPath } from './paths.ts';
import type { SiteSource } from './site-kind.ts';

/** The folder, and what stands for it in specifiers, by the tsconfig.json of a site. */
export function tsconfigAliases(source: SiteSource, root: string) {
  const config = parse(source.read(joinPath(root, 'tsconfig.json') ?? '') ?? '');
  const { paths, baseUrl } = objectOf(objectOf(config).compilerOptions);
  return Object.entries(objectOf(paths)).flatMap(([alias, to]) => {
    const [first] = stringsOf(to);
    const folder = first && joinPath(root, textOf(baseUrl) ?? '', first.replace(/\*$/, ''));
    return folder === undefined ? [] : [{ prefix: alias.replace(/\*$/, ''), folder }];
  });
}

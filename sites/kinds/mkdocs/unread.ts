import { linesOf } from '../../values.ts';
import type { SitePlace, Unread } from '../site-kind.ts';
import type { MkDocsConfig } from './config.ts';
import { unknownSlugFunction } from './python-markdown.ts';

/** Plugins that make pages that have no file. */
export const MAKING = [
  'gen-files',
  'monorepo',
  'multirepo',
  'blog',
  'mkdocs-jupyter',
  'api-autonav',
];
/** Plugins that make or change the navigation; of those the second ones are read. */
const LISTING = /nav|awesome|sidebar|weight/i;
const READ_LISTING = /^(?:material\/)?(?:awesome-(?:nav|pages)|literate-nav)$/;
/** Plugins that change the text of pages. */
const CHANGING = ['mkdocstrings', 'macros'];

/** What plugins, hooks and functions decide when the site is built. */
export function unreadParts(
  config: MkDocsConfig,
  found: SitePlace,
  missing: readonly string[],
): Unread[] {
  const { plugins, settings } = config;
  const slugFunction = unknownSlugFunction(config);
  const names = [
    ...[...MAKING, ...CHANGING].filter(name => plugins.has(name)).map(name => `plugin ${name}`),
    ...linesOf(settings.hooks).map(hook => `hook ${hook}`),
  ];
  const listing = [...plugins.keys()].filter(
    name => LISTING.test(name) && !READ_LISTING.test(name),
  );
  return [
    ...names.map(name => `The ${name} makes or changes pages while the site is built.`),
    ...listing.map(name => `The navigation comes from a plugin, ${name}.`),
    ...madeByBuild(missing),
    ...(slugFunction === undefined
      ? []
      : [`The ids of headings come from a function, ${slugFunction}.`]),
  ].map(message => ({ file: found.marker, line: null, message }));
}

const MADE_NAMED = 3;

function madeByBuild(targets: readonly string[]): string[] {
  const named = targets.slice(0, MADE_NAMED);
  const more = targets.length - named.length;
  return [
    ...named.map(target => `The build makes ${target}, which the navigation names.`),
    ...(more === 0 ? [] : [`The build makes ${more} more entries of the navigation.`]),
  ];
}

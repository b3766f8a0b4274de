import { parseBoundedYaml } from '../bounded-yaml.ts';
import { SITE_KINDS } from '../kinds/registry.ts';
import type { SiteSource } from '../kinds/site-kind.ts';
import { isObject } from '../values.ts';
import { CannotCheck, type CheckOptions } from './check-options.ts';
import type { IgnoreRule } from './left-out/ignore-rules.ts';

export const SETTINGS_FILE = '.docent-check.yml';

const RULE_MEMBERS = ['rule', 'file', 'link'];

/** What the settings file of a folder says. */
export interface Settings {
  options: CheckOptions;
  ignore: IgnoreRule[];
}

/** Reads the settings file of a folder, if it has one. Throws `CannotCheck` on what it must not say. */
export function readSettings(source: SiteSource): Settings {
  const document = parseBoundedYaml(source.read(SETTINGS_FILE) ?? '');
  const [error] = document.errors;
  if (error) throw wrong(error.message);
  const value: unknown = document.toJS({ maxAliasCount: 100 }) ?? {};
  if (!isObject(value)) throw wrong('It must have members, such as "all: true".');
  const settings: Settings = { options: {}, ignore: [] };
  for (const [name, one] of Object.entries(value)) {
    const read = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
    if (!read)
      throw wrong(`It knows no member "${name}", only ${Object.keys(MEMBERS).join(', ')}.`);
    read(settings, one);
  }
  return settings;
}

const MEMBERS: Record<string, (settings: Settings, value: unknown) => void> = {
  kind: ({ options }, value) => {
    if (!SITE_KINDS.some(kind => kind === value))
      throw wrong(`"kind" must be one of ${SITE_KINDS.join(', ')}.`);
    options.kind = String(value);
  },
  config: ({ options }, value) => (options.config = text('config', value)),
  'every-site': ({ options }, value) => (options.everySite = flag('every-site', value)),
  all: ({ options }, value) => (options.all = flag('all', value)),
  external: ({ options }, value) => (options.external = flag('external', value)),
  baseline: ({ options }, value) => (options.baseline = text('baseline', value)),
  ignore: (settings, value) => {
    if (!Array.isArray(value)) throw wrong('"ignore" must be a list.');
    settings.ignore = value.map(ruleOf);
  },
};

function ruleOf(value: unknown): IgnoreRule {
  if (typeof value === 'string') return { any: value };
  const members = isObject(value) ? Object.entries(value) : [];
  if (members.length === 0 || members.some(([name]) => !RULE_MEMBERS.includes(name)))
    throw wrong('An entry of "ignore" is a glob, or has "rule", "file" or "link".');
  return Object.fromEntries(members.map(([name, one]) => [name, text(name, one)]));
}

function flag(name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw wrong(`"${name}" must be true or false.`);
  return value;
}

function text(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw wrong(`"${name}" must be a text.`);
  return value;
}

function wrong(sentence: string): CannotCheck {
  return new CannotCheck(`${SETTINGS_FILE}: ${sentence}`);
}

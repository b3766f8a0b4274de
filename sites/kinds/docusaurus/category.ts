import { asBoolean, asNumber, asString, at } from '../../code/static-value.ts';
import { ModuleReader } from '../../code/read-module.ts';
import { joinPath } from '../paths.ts';
import { objectOf, textOf } from '../../values.ts';
import { parseYaml } from '../yaml.ts';
import type { SiteSource } from '../site-kind.ts';

/** What `_category_.json` or `_category_.yml` says of a folder. */
export interface Category {
  label: string | undefined;
  position: number | undefined;
  /** Undefined: by convention; null: none. */
  link: { type: string; id?: string; slug?: string; title?: string } | null | undefined;
}

export function readCategory(source: SiteSource, folder: string): Category {
  const none: Category = { label: undefined, position: undefined, link: undefined };
  const json = joinPath(folder, '_category_.json') ?? '';
  if (source.has(json)) return fromJson(source, json) ?? none;
  const yaml = ['yml', 'yaml'].map(ending => `${folder}/_category_.${ending}`).find(source.has);
  if (yaml === undefined) return none;
  const members = objectOf(parseYaml(source.read(yaml) ?? '').value);
  const link = objectOf(members.link);
  const position = Number(members.position);
  return {
    label: textOf(members.label),
    position: members.position === undefined || Number.isNaN(position) ? undefined : position,
    link: members.link === null ? null : 'type' in link ? (link as Category['link']) : undefined,
  };
}

function fromJson(source: SiteSource, file: string): Category | undefined {
  const value = new ModuleReader(source.read).defaultExport(file);
  if (!value) return undefined;
  const link = at(value, 'link');
  const member = (name: string) => {
    const text = asString(at(link, name));
    return text === undefined ? {} : { [name]: text };
  };
  const isNone = link?.kind === 'literal' && (link.value === null || asBoolean(link) === false);
  const type = asString(at(link, 'type'));
  return {
    label: asString(at(value, 'label')),
    position: asNumber(at(value, 'position')),
    link: isNone
      ? null
      : type === undefined
        ? undefined
        : { type, ...member('id'), ...member('slug'), ...member('title') },
  };
}

/**
 * Reads a `.vale.ini` and writes one that Vale may have: only keys that choose and tune rules. A
 * key that runs a program, asks a server or reads another file is left out.
 */

interface Section {
  /** Empty for the keys above all sections. */
  name: string;
  keys: [key: string, value: string][];
}

export interface ValeSettings {
  /** As it is written, relative to the file; null: none. */
  stylesPath: string | null;
  sections: Section[];
}

/** What the repository has of what the settings name. */
export interface Available {
  styles: ReadonlySet<string>;
  vocabularies: ReadonlySet<string>;
}

export interface WrittenSettings {
  text: string;
  /** A rule is applied at all. */
  hasRules: boolean;
  /** Names of styles and vocabularies that the repository does not have. */
  missing: string[];
}

const CORE_KEYS = new Set([
  'MinAlertLevel',
  'IgnoredScopes',
  'SkippedScopes',
  'IgnoredClasses',
  'WordTemplate',
  'Vocab',
]);
const SECTION_KEYS = new Set([
  'BasedOnStyles',
  'BlockIgnores',
  'TokenIgnores',
  'IgnorePatterns',
  'CommentDelimiters',
  'Lang',
  'Vocab',
]);
const RULE_SWITCH = /^[\w-]+(?:\.[\w-]+)+$/;
const SWITCH_VALUE = /^(?:YES|NO|UNSET|suggestion|warning|error)$/;
const RULE_PARAMETER = /^[\w-]+(?:\.[\w-]+)+\[[a-z]+\]$/i;
const PARAMETER_VALUE = /^(?:-?\d+(?:\.\d+)?|true|false)$/;
/** Formats that Vale reads without another program. */
const FORMAT_VALUE = /^(?:md|mdx|markdown|txt|html?)$/i;
/** Styles that are part of Vale, and the word for none. */
const BUILT_IN = new Set(['Vale', 'NONE']);

export function parseSettings(text: string): ValeSettings {
  const sections: Section[] = [{ name: '', keys: [] }];
  let stylesPath: string | null = null;
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    let line = lines[at]!.trim();
    while (line.endsWith('\\') && at + 1 < lines.length)
      line = line.slice(0, -1) + lines[(at += 1)]!.trim();
    if (line === '' || /^[#;]/.test(line)) continue;
    const [, section] = /^\[([^\]]+)\]$/.exec(withoutComment(line)) ?? [];
    if (section !== undefined) sections.push({ name: section, keys: [] });
    const [, key, written] = /^([^=:]+?)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (section !== undefined || key === undefined) continue;
    const value = withoutComment(written ?? '');
    const { name, keys } = sections.at(-1)!;
    if (name === '' && key === 'StylesPath') stylesPath = value.replace(/^(["'])(.*)\1$/, '$2');
    // Values of several lines, which Vale would read on from here.
    else if (/^(?:`|""")|\\$/.test(value)) continue;
    else if (isAllowed(name, key, value)) keys.push([key, value]);
  }
  return { stylesPath, sections };
}

function withoutComment(value: string): string {
  return value.replace(/(?:^|\s)[#;].*$/, '').trim();
}

function isAllowed(section: string, key: string, value: string): boolean {
  if (section === '') return CORE_KEYS.has(key);
  if (section === 'formats') return /^\w+$/.test(key) && FORMAT_VALUE.test(value);
  if (section === 'asciidoctor' || section === 'sphinx') return false;
  if (SECTION_KEYS.has(key)) return true;
  return RULE_PARAMETER.test(key)
    ? PARAMETER_VALUE.test(value)
    : RULE_SWITCH.test(key) && SWITCH_VALUE.test(value);
}

/** `stylesPath`: of a folder beside the file that the text goes to. */
export function writeSettings(
  { sections }: ValeSettings,
  stylesPath: string,
  available: Available,
): WrittenSettings {
  const missing = new Set<string>();
  let hasRules = false;
  const present = (value: string, names: ReadonlySet<string>): string[] =>
    value
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '')
      .filter(name => {
        if (BUILT_IN.has(name) || names.has(name)) return true;
        missing.add(name);
        return false;
      });
  const written = sections.flatMap(({ name, keys }) => {
    const lines = keys.flatMap(([key, value]) => {
      if (key === 'Vocab') value = present(value, available.vocabularies).join(', ');
      if (key === 'BasedOnStyles') {
        const styles = present(value, available.styles);
        hasRules ||= styles.some(style => style !== 'NONE');
        value = styles.join(', ');
      }
      if (RULE_SWITCH.test(key)) {
        if (![...BUILT_IN, ...available.styles].includes(key.split('.')[0]!)) return [];
        hasRules ||= value !== 'NO' && value !== 'UNSET';
      }
      return value === '' && key !== 'BasedOnStyles' ? [] : [`${key} = ${value}`];
    });
    if (name !== '') return [`[${name}]`, ...lines];
    return [`StylesPath = ${stylesPath}`, ...lines];
  });
  return { text: `${written.join('\n')}\n`, hasRules, missing: [...missing] };
}

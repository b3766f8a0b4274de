import {
  type Document,
  type DocumentOptions,
  parseDocument,
  type ParseOptions,
  type SchemaOptions,
  isScalar,
  YAMLParseError,
} from 'yaml';
import { isObject } from './values.ts';
import { isNestedDeeper } from './nesting.ts';

/** Of lists and members: the parser calls itself for each. No file that people wrote has as many. */
const DEEPEST = 200;
const DASHES = new RegExp(`(?:[-?:][ \\t]+){${DEEPEST}}`);

/** As the parser of `yaml` does it; what is nested too deep is one error, and has no contents. */
export function parseBoundedYaml(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions = {},
): Document.Parsed {
  const quiet = { prettyErrors: false, logLevel: 'silent' as const, ...options };
  if (!isNestedDeeper(text, DEEPEST, '[{') && !DASHES.test(text)) return parseDocument(text, quiet);
  const none = parseDocument('', quiet) as Document.Parsed;
  none.errors.push(
    new YAMLParseError([0, 0], 'RESOURCE_EXHAUSTION', 'It is nested too deep to be read.'),
  );
  return none;
}

/** Members of front matter that people write as text. */
const TEXTS = ['title', 'sidebarTitle', 'sidebar_label', 'linkTitle', 'linktitle', 'version'];

/** The value of front matter, in which `title: 1.10` is a text. Throws as `toJS` does. */
export function frontMatterValue(document: Document.Parsed): unknown {
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (!isObject(value)) return value;
  for (const name of TEXTS) {
    if (typeof value[name] !== 'number') continue;
    const node = document.get(name, true);
    if (isScalar(node) && node.source !== undefined) value[name] = node.source;
  }
  return value;
}

import {
  type Document,
  type DocumentOptions,
  parseDocument,
  type ParseOptions,
  type SchemaOptions,
  YAMLParseError,
} from 'yaml';
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

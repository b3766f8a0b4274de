import { toUSVString } from 'node:util';
import { type TSchema, KindGuard, OptionalKind } from '@sinclair/typebox';
import { TypeCompiler, type ValueError } from '@sinclair/typebox/compiler';
import { Value } from '@sinclair/typebox/value';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import { oneUnitEach } from '../../shared/text/characters.ts';
import { fieldProblem, Problem } from '../../shared/errors.ts';
import { wordsOf } from '../../shared/text/worded.ts';

const MAX_ERRORS = 20;

/**
 * Compiles a TypeBox schema to a validator. Known members are checked strictly, unknown ones are
 * ignored, `null` counts as absent for optional members, and defaults are filled in. Paths, query
 * strings and headers are text, so their numbers and booleans are parsed first.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = TypeCompiler.Compile(schema);
  return (input: unknown) => {
    const value = Value.Default(
      schema,
      httpPart === 'body' ? tidy(schema, input) : fromText(schema, input),
    );
    if (!check.Check(value)) {
      const counted = wholeCharacters(schema, value);
      if (!check.Check(counted))
        return { error: invalid(explain(check.Errors(counted)), httpPart) };
    }
    const nul = httpPart === 'body' ? findNul(value) : undefined;
    if (nul !== undefined) return { error: fieldProblem(nul, NO_NUL) };
    return { value };
  };
};

const NO_NUL = 'must not contain the character U+0000';
/** An unpaired surrogate in UTF-8, which the query's decoder leaves as it is. */
const SURROGATE = /%ed%[ab][\da-f]%[89ab][\da-f]/i;

/** Refuses what no stored text contains, in paths and query strings of all routes. */
export function refuseUnstorableAddresses(app: FastifyInstance): void {
  app.addHook('preValidation', async request => {
    const nul = findNul(request.params) ?? findNul(request.query);
    if (nul !== undefined) throw fieldProblem(nul, NO_NUL);
    if (SURROGATE.test(request.url))
      throw new Problem('invalid_request', 'The query string contains an unpaired surrogate.');
  });
}

/**
 * The value with one unit for each character, as lengths are meant: JavaScript has two for an
 * emoji. A text that is too long in any case stays as it is.
 */
function wholeCharacters(schema: TSchema, value: unknown): unknown {
  if (KindGuard.IsUnion(schema)) {
    const variant = schema.anyOf.find(one =>
      typeof value === 'string' ? KindGuard.IsString(one) : KindGuard.IsObject(one),
    );
    return variant ? wholeCharacters(variant, value) : value;
  }
  if (KindGuard.IsString(schema) && typeof value === 'string')
    return value.length <= 2 * (schema.maxLength ?? 0) ? oneUnitEach(value) : value;
  if (KindGuard.IsArray(schema) && Array.isArray(value))
    return value.map(item => wholeCharacters(schema.items, item));
  if (!KindGuard.IsObject(schema) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inner = schema.properties[name];
      return [name, inner ? wholeCharacters(inner, member) : member];
    }),
  );
}

/** The 400 for members that break the schema: the first one's sentence, and all of them. */
function invalid(
  errors: { path: string; message: string }[],
  httpPart: string | undefined,
): Problem {
  const [first] = errors;
  const subject =
    first?.path || (httpPart === 'querystring' ? 'The query string' : `The ${httpPart ?? 'body'}`);
  return new Problem('invalid_request', `${subject} ${first?.message ?? 'is not valid'}.`, {
    errors,
  });
}

function explain(found: Iterable<ValueError>): { path: string; message: string }[] {
  const errors = new Map<string, string>();
  for (const error of found) {
    const path = readablePath(error.path);
    if (!errors.has(path)) {
      const takes = describe(error.schema);
      errors.set(
        path,
        error.value === undefined ? `is required and must be ${takes}` : `must be ${takes}`,
      );
    }
    if (errors.size === MAX_ERRORS) break;
  }
  return [...errors].map(([path, message]) => ({ path, message }));
}

/** `/messages/0/role` to `messages[0].role`. */
function readablePath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .reduce((path, part) => {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      if (/^\d+$/.test(name)) return `${path}[${name}]`;
      return path === '' ? name : `${path}.${name}`;
    }, '');
}

/** What a value of a schema must be, in words: the second half of a sentence. */
export function describe(schema: TSchema): string {
  if (KindGuard.IsUnion(schema)) return schema.anyOf.map(describe).join(' or ');
  if (KindGuard.IsLiteral(schema)) return JSON.stringify(schema.const);
  if (KindGuard.IsString(schema))
    return [
      'a string',
      range(schema.minLength, schema.maxLength, 'characters', 'of'),
      wordsOf(schema),
    ].join('');
  if (KindGuard.IsInteger(schema))
    return `a whole number${range(schema.minimum, schema.maximum, '', '')}`;
  if (KindGuard.IsNumber(schema)) return `a number${range(schema.minimum, schema.maximum, '', '')}`;
  if (KindGuard.IsArray(schema))
    return `an array${range(schema.minItems, schema.maxItems, 'items', 'of')}`;
  if (KindGuard.IsBoolean(schema)) return 'true or false';
  if (KindGuard.IsNull(schema)) return 'null';
  return 'an object';
}

function range(
  minimum: number | undefined,
  maximum: number | undefined,
  unit: string,
  link: string,
): string {
  if (minimum === undefined && maximum === undefined) return '';
  const words =
    minimum === undefined
      ? `at most ${maximum}`
      : maximum === undefined
        ? `at least ${minimum}`
        : link === ''
          ? `from ${minimum} to ${maximum}`
          : `${minimum} to ${maximum}`;
  return [link === '' ? '' : ` ${link}`, ` ${words}`, unit === '' ? '' : ` ${unit}`].join('');
}

/**
 * Numbers and booleans from the text of a path, query string or header; what is neither stays text,
 * and is refused as such.
 */
function fromText(schema: TSchema, input: unknown): unknown {
  if (!KindGuard.IsObject(schema) || typeof input !== 'object' || input === null) return input;
  const read = { ...input } as Record<string, unknown>;
  for (const [name, inner] of Object.entries(schema.properties)) {
    const text = read[name];
    if (typeof text !== 'string') continue;
    if ((KindGuard.IsInteger(inner) || KindGuard.IsNumber(inner)) && /^-?\d+(\.\d+)?$/.test(text))
      read[name] = Number(text);
    if (KindGuard.IsBoolean(inner) && /^(true|false)$/.test(text)) read[name] = text === 'true';
  }
  return read;
}

/**
 * Removes unknown members, and optional ones that are null (unless their schema allows null), at any
 * depth. An unpaired surrogate, left when a client cuts a text, becomes U+FFFD.
 */
function tidy(schema: TSchema, value: unknown): unknown {
  if (typeof value === 'string') return toUSVString(value);
  if (KindGuard.IsArray(schema) && Array.isArray(value)) {
    // One item too many is enough to refuse the rest unread.
    const items = schema.maxItems === undefined ? value : value.slice(0, schema.maxItems + 1);
    return items.map(item => tidy(schema.items, item));
  }
  if (!KindGuard.IsObject(schema) || typeof value !== 'object' || value === null) return value;
  // Defaults are filled in by name, and an array has a method `filter`.
  if (Array.isArray(value)) return null;
  const known: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(schema.properties)) {
    const member = (value as Record<string, unknown>)[name];
    if (
      !Object.hasOwn(value, name) ||
      (member === null && OptionalKind in inner && !takesNull(inner))
    )
      continue;
    known[name] = tidy(inner, member);
  }
  return known;
}

function takesNull(schema: TSchema): boolean {
  return KindGuard.IsNull(schema) || (KindGuard.IsUnion(schema) && schema.anyOf.some(takesNull));
}

/** The path of the first text with U+0000, which Postgres cannot store. */
function findNul(body: unknown): string | undefined {
  const waiting: { path: string; value: unknown }[] = [{ path: '', value: body }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, value } = next;
    if (typeof value === 'string' && value.includes('\0')) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value).reverse()) {
      const inner = path === '' ? name : `${path}.${name}`;
      waiting.push({ path: Array.isArray(value) ? `${path}[${name}]` : inner, value: member });
    }
  }
  return undefined;
}

import { type TLiteral, type TUnion, Type } from '@sinclair/typebox';

/** Ends the sentence "NAME …" for a value that does not match. */
interface Must {
  must: string;
}

export const integer = (fallback: number, minimum = 1) =>
  Type.Integer({ default: fallback, minimum });
export const text = (fallback: string) => Type.String({ default: fallback });
export const optional = Type.Optional(Type.String({ minLength: 1 }));

/** Text of a form, by default `fallback` or not set. */
export const formed = ({ pattern, must }: Form, fallback?: string) =>
  Type.String({ pattern, must, ...(fallback !== undefined && { default: fallback }) });
export const optionalFormed = (form: Form) => Type.Optional(formed(form));

export interface Form extends Must {
  pattern: string;
}

export const HTTP_ADDRESS: Form = {
  pattern: '^https?://[^\\s/]+\\S*$',
  must: 'must be an address such as https://docent.example.com',
};
/** To listen on: no address of a page, no port. */
export const HOST_NAME: Form = {
  pattern: '^([\\w.%-]+|[\\da-fA-F:.]+(%\\w+)?)$',
  must: 'must be a host name or IP address such as 127.0.0.1',
};
export const HOST_AND_PORT: Form = {
  pattern: '^([\\w.-]+|\\[[\\da-fA-F:]+\\])(:\\d+)?$',
  must: 'must be a host and port such as temporal:7233',
};
export const HOST_NAMES: Form = {
  pattern: '^[^\\s/]*(,\\s*[^\\s/]+)*$',
  must: 'must be comma-separated host names, without https://',
};
/** Keys, tokens, ids: a space or a line break in one comes from copying it. */
export const WORD: Form = {
  pattern: '^\\S+$',
  must: 'must be one word, without spaces and line breaks',
};
export const REGION: Form = {
  pattern: '^[a-z\\d-]+$',
  must: 'must be a region such as us-east-1',
};
export const SWITCH: Form = {
  pattern: '^(true|false|1|0)$',
  must: 'must be true or false',
};
export const KEYS: Form = {
  pattern: '^([^,]{32,}(,[^,]{32,})*)?$',
  must: 'must be comma-separated keys of at least 32 characters each',
};
export const MENTION: Form = {
  pattern: '^@?[\\w-]+$',
  must: 'must be a name such as @docent',
};

/** One of several words. */
export function choice<T extends string>(words: readonly T[], fallback?: T): TUnion<TLiteral<T>[]> {
  return Type.Union(
    words.map(word => Type.Literal(word)),
    {
      must: `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
      ...(fallback !== undefined && { default: fallback }),
    },
  );
}

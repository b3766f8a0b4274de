/** What a file in JSON, YAML or TOML says, read without trust in its form. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Members; none if it is not an object. */
export function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function stringsOf(value: unknown): string[] {
  return listOf(value).filter(one => typeof one === 'string');
}

/** A list of strings, also written as one text with a line each. */
export function linesOf(value: unknown): string[] {
  if (typeof value !== 'string') return stringsOf(value);
  return value.split('\n').filter(line => line.trim() !== '');
}

/** A JSON file's value; undefined if it cannot be parsed. */
export function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse((text ?? '').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Undefined for what JSON cannot say, such as a YAML alias that stands inside of its own value. */
export function writtenJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

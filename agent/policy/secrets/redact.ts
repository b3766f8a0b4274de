import { SECRET_REMOVED, secretRemoved } from '../../../shared/agent-text.ts';
import { findSecrets, Unjudged } from '../judge.ts';
import type { Secret } from './secrets.ts';

/** The first mark in any text of a value, or undefined. */
export function redactionIn(value: unknown): string | undefined {
  return SECRET_REMOVED.exec(JSON.stringify(value) ?? '')?.[0];
}

/**
 * A copy of a JSON value in which no text has a secret.
 * @param isKnown whether a value stands in the site's pages already: then it is theirs.
 */
export async function redactSecrets<T>(
  value: T,
  isKnown: (secret: string) => Promise<boolean>,
): Promise<T> {
  const redact = async (part: unknown): Promise<unknown> => {
    if (typeof part === 'string') return redactText(part, isKnown);
    if (Array.isArray(part)) return Promise.all(part.map(redact));
    if (typeof part !== 'object' || part === null) return part;
    const members = Object.entries(part).map(async ([name, inner]) => [name, await redact(inner)]);
    return Object.fromEntries((await Promise.all(members)) as [string, unknown][]);
  };
  return (await redact(value)) as T;
}

async function redactText(
  text: string,
  isKnown: (secret: string) => Promise<boolean>,
): Promise<string> {
  // No secret is shorter.
  if (text.length < 16) return text;
  const found = await secretsIn(text);
  if (found === undefined || found.length > MOST_SECRETS)
    return secretRemoved('a text with too many of them');
  const known: Secret[] = [];
  for (const secret of found) if (!(await isKnown(secret.value))) known.push(secret);
  // The longest first: one may be a part of another.
  return known
    .toSorted((a, b) => b.value.length - a.value.length)
    .reduce((sum, { kind, value }) => sum.replaceAll(value, secretRemoved(kind)), text);
}

/** Undefined for a text that could not be judged. */
async function secretsIn(text: string): Promise<Secret[] | undefined> {
  try {
    return await findSecrets(text);
  } catch (error) {
    if (error instanceof Unjudged) return undefined;
    throw error;
  }
}

/** A text with more is removed as a whole: each is looked for in the site's pages. */
const MOST_SECRETS = 100;
const CONTEXT = 4_000;

/**
 * Passes on a text that arrives in pieces, without its secrets. A word is passed on once it is
 * whole: a part of a secret looks like nothing.
 */
export class RedactedStream {
  #text = '';
  #passed = 0;

  add(piece: string): void {
    this.#text += piece;
  }

  /** What can be passed on by now; '' for nothing. */
  async take(): Promise<string> {
    const end = /^[^]*\s/.exec(this.#text)?.[0].length ?? 0;
    const from = this.#passed;
    if (end <= from) return '';
    this.#passed = end;
    const start = Math.max(0, from - CONTEXT);
    const window = this.#text.slice(start, end);
    const hidden = (await findSecrets(window)).map(({ value }) => {
      const at = window.indexOf(value);
      return { from: Math.max(at, from - start), to: at + value.length };
    });
    let taken = '';
    let at = from - start;
    for (const { from: left, to } of hidden.toSorted((a, b) => a.from - b.from)) {
      if (to <= at) continue;
      taken += `${window.slice(at, Math.max(at, left))}‹secret removed›`;
      at = to;
    }
    return taken + window.slice(at);
  }
}

import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isObject } from '../../values.ts';
import { CannotCheck } from '../check-options.ts';
import type { Finding } from '../formats/report.ts';

/** A finding that is known. Without its line: those of a file move when it is edited. */
export type KnownFinding = Pick<Finding, 'rule' | 'file' | 'link' | 'message'>;

/** The findings that are not among the known ones, each of which counts once; and those left. */
export function withoutKnown(
  findings: readonly Finding[],
  known: readonly KnownFinding[],
): { findings: Finding[]; left: KnownFinding[] } {
  const left = new Map<string, KnownFinding[]>();
  for (const one of known) left.set(keyOf(one), [...(left.get(keyOf(one)) ?? []), one]);
  const others = findings.filter(finding => left.get(keyOf(finding))?.pop() === undefined);
  return { findings: others, left: [...left.values()].flat() };
}

function keyOf({ rule, file, link, message }: KnownFinding): string {
  return JSON.stringify([rule, file, link, message]);
}

/**
 * The baseline that the settings file of a folder names. A stranger may have written that file,
 * so that it lies within the folder, behind no symbolic link. Throws `CannotCheck` if it does not.
 */
export function baselineIn(folder: string, name: string): string {
  const parts = name.split(/[\\/]/);
  const paths = parts.map((_, at) => join(folder, ...parts.slice(0, at + 1)));
  const isLink = (path: string) =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isAbsolute(name) || parts.some(part => /^(?:\.\.|\.git)$/i.test(part)) || paths.some(isLink))
    throw new CannotCheck(
      `The baseline ${name} must be a file of the folder, and no symbolic link.`,
    );
  return join(folder, name);
}

/** Throws `CannotCheck` if the file is missing or not a baseline. */
export function readBaseline(file: string): KnownFinding[] {
  if (!existsSync(file))
    throw new CannotCheck(`There is no baseline ${file}. --update-baseline makes it.`);
  const value = parsed(readFileSync(file, 'utf8'));
  const findings = isObject(value) ? value['findings'] : undefined;
  if (!Array.isArray(findings) || !findings.every(isKnownFinding))
    throw new CannotCheck(`The file ${file} is not a baseline. --update-baseline makes one.`);
  return findings;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isKnownFinding(value: unknown): value is KnownFinding {
  if (!isObject(value)) return false;
  const { rule, file, link, message } = value;
  const isLink = link === null || typeof link === 'string';
  return [rule, file, message].every(one => typeof one === 'string') && isLink;
}

export function writeBaseline(file: string, findings: readonly Finding[]): void {
  const known = findings.map(({ rule, file: path, link, message }): KnownFinding => ({
    rule,
    file: path,
    link,
    message,
  }));
  // One line each, so that a change of the file is easy to review.
  const lines = known.map(one => JSON.stringify(one)).toSorted();
  writeFileSync(file, `{"findings": [\n${lines.join(',\n')}\n]}\n`);
}

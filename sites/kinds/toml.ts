import { parse } from 'smol-toml';
import type { SiteProblem } from './site-kind.ts';

/** A TOML file's members; none if it cannot be read, which is a problem then. */
export function parseToml(
  text: string,
  file: string,
  problems: SiteProblem[] = [],
): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    const message = `cannot be read: ${error instanceof Error ? error.message.split('\n')[0] : ''}`;
    problems.push({ rule: 'configuration', file, line: null, link: null, message });
    return {};
  }
}

/** The source of a pattern for any of some names, with spaces between them; a name may be a pattern. */
export function anyOf(names: string): string {
  return `(?:${names.trim().split(/\s+/).join('|')})`;
}

/** Texts that are one of some names as a whole. */
export function named(names: string, flags = ''): RegExp {
  return new RegExp(`^${anyOf(names)}$`, flags);
}

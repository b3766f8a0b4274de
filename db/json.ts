/**
 * A value as JSON that Postgres takes as `jsonb`, which knows neither U+0000 nor unpaired
 * surrogates: each becomes U+FFFD. Models and readers send both, and our own cutting of
 * texts makes them.
 */
export function jsonText(value: unknown): string {
  // An escaped backslash is matched too, so that a text that only spells "\\u0000" stays as it is.
  return JSON.stringify(value).replace(/\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g, escape =>
    escape === '\\\\' ? escape : '\ufffd',
  );
}

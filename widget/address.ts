const SCHEMES = /^(https?|mailto):$/;

/**
 * The address, absolute, if it may be opened or loaded. `URL.canParse` is younger than the browsers
 * that are supported.
 */
export function safeUrl(written: string): string | undefined {
  try {
    const url = new URL(written, location.href);
    return SCHEMES.test(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Whether `fr`, `zh-CN` or `pt_BR` is a language: `js` and `api` are none. */
export function isLanguageTag(tag: string): boolean {
  try {
    return NAMES.of(tag.replace('_', '-')) !== undefined;
  } catch {
    return false; // such as `en-usa`
  }
}

const PATTERNS: readonly [RegExp, string][] = [
  [/\bsvc_(?:dsc_)?[0-9A-Za-z]{20,}/g, 'svc_…'],
  [/\bwhsec_[\w+/=-]{8,}/g, 'whsec_…'],
  [/\bsk-ant-[\w-]{8,}/g, 'sk-ant-…'],
  [/\bgh[pousr]_[0-9A-Za-z]{20,}/g, 'gh…'],
  [/\bgithub_pat_\w{20,}/g, 'github_pat_…'],
  [/\b(Bearer|Basic|token)\s+[\w.~+/=-]{12,}/gi, '$1 …'],
  [/:\/\/[^\s/@:]+:[^\s/@]+@/g, '://…@'],
];

/** Masks what looks like a credential, for text that goes to a log, a history or a person. */
export function redact(text: string): string {
  return PATTERNS.reduce((result, [pattern, mask]) => result.replace(pattern, mask), text);
}

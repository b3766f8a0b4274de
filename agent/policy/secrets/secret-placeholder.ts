const MADE_UP_HOST = new RegExp(
  String.raw`^(?:localhost|127\.0\.0\.1|\[?::1\]?|host(?:name)?|db|database|` +
    'postgres|mysql|mongo|redis|server)$',
  'i',
);
const MADE_UP_PASSWORD = new RegExp(
  String.raw`^(?:password|pass|passwd|pwd|secret|postgres|mysql|root|admin|user|test|token|` +
    String.raw`x+|\*+|\[.*\]|\{.*\})$`,
  'i',
);

/**
 * Documentation shows what keys look like: few different characters (`svc_xxxxxxxx`), words that
 * say so, and connection strings to a made-up host or with a made-up password.
 */
export function isPlaceholder(value: string): boolean {
  if (
    /example|placeholder|your[-_]|<[^>]*>|\.\.\.|…|\$\{|%[A-Z_]+%|redacted|x{4}|\*{3}/i.test(
      value,
    ) &&
    !/PRIVATE KEY/.test(value)
  )
    return true;
  const credentials = /^[a-z][a-z\d+.-]*:\/\/[^:@/\s]*:([^@\s]*)@([^/:?\s]*)/i.exec(value);
  if (credentials) {
    const [, password = '', host = ''] = credentials;
    return MADE_UP_HOST.test(host) || MADE_UP_PASSWORD.test(password);
  }
  return new Set(value.replace(/^[a-z]+[-_]/i, '')).size < 8;
}

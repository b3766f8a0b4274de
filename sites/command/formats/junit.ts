import type { Finding } from './report.ts';

/**
 * JUnit's XML: a case for each page and for each problem in a file. Errors fail; what is less is
 * output of its case.
 */
export function junit(pages: readonly string[], findings: readonly Finding[]): string[] {
  const withFindings = new Set(findings.map(({ file }) => file));
  const whole = pages.filter(page => !withFindings.has(page));
  const failures = findings.filter(({ severity }) => severity === 'error').length;
  const counts = `tests="${whole.length + findings.length}" failures="${failures}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="docent-check" ${counts}>`,
    `<testsuite name="docent-check" ${counts} skipped="0">`,
    ...whole.map(page => `<testcase classname="${escaped(page)}" name="no problems"/>`),
    ...findings.map(caseOf),
    '</testsuite>',
    '</testsuites>',
  ];
}

function caseOf({ rule, severity, file, line, link, message }: Finding): string {
  const place = line === null ? file : `${file}:${line}`;
  const name = [rule, link].filter(part => part !== null).join(' ');
  const text = escaped(`${place}: ${message}`);
  const inside =
    severity === 'error'
      ? `<failure type="${escaped(rule)}" message="${escaped(message)}">${text}</failure>`
      : `<system-out>${escaped(severity)}: ${text}</system-out>`;
  const at = line === null ? '' : ` line="${line}"`;
  const attributes = `classname="${escaped(file)}" name="${escaped(name)}" file="${escaped(file)}"${at}`;
  return `<testcase ${attributes}>${inside}</testcase>`;
}

const ENTITIES: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/** XML has no place for most control characters, nor for half of a pair. */
function escaped(text: string): string {
  return text
    .replace(/[<>&"]/g, char => ENTITIES[char] ?? '')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu, '\ufffd')
    .replace(/[\n\r\t]/g, char => `&#${char.charCodeAt(0)};`);
}

import { fileFromHere } from './places.ts';
import type { Finding } from './report.ts';

/** One line that GitHub Actions shows beside the file. */
export function annotation(finding: Finding, folder: string): string {
  const { severity, line, rule, link, message } = finding;
  const file = fileFromHere(finding.file, folder);
  const escaped = (text: string) =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const place = `file=${property(file)}${line === null ? '' : `,line=${line}`}`;
  const text = `${link === null ? '' : `${link}: `}${message}`;
  const level = severity === 'suggestion' ? 'notice' : severity;
  return `::${level} ${place},title=${property(rule)}::${escaped(text)}`;
}

import { createHash } from 'node:crypto';
import { fileFromHere } from './places.ts';
import type { Finding } from './report.ts';
import { RULES } from './rules.ts';

const LEVELS = { error: 'error', warning: 'warning', suggestion: 'note' } as const;

/** SARIF 2.1.0, which code scanning of GitHub and others read. */
export function sarif(findings: readonly Finding[], folder: string, version: string) {
  const rules = [...new Set(findings.map(({ rule }) => rule))].toSorted();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'docent-check',
            version,
            rules: rules.map(id => ({ id, shortDescription: { text: RULES[id] ?? id } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map(finding => resultOf(finding, rules, folder)),
      },
    ],
  };
}

function resultOf(finding: Finding, rules: readonly string[], folder: string) {
  const { rule, severity, link, line, file, message } = finding;
  const print = createHash('sha256').update(JSON.stringify([rule, file, link, message]));
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: LEVELS[severity],
    message: { text: link === null ? message : `${link}: ${message}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: {
            uri: fileFromHere(file, folder).split('/').map(encodeURIComponent).join('/'),
            uriBaseId: '%SRCROOT%',
          },
          ...(line !== null && { region: { startLine: line } }),
        },
      },
    ],
    partialFingerprints: { 'docentCheck/v1': print.digest('hex') },
  };
}

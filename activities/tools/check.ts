import { Type } from '@sinclair/typebox';
import type { Finding } from '../checks/finding.ts';
import { existingFile } from './paths.ts';
import { count, toolFailure } from './text.ts';
import { defineTool } from './tool.ts';

const MAX_FINDINGS = 50;

export const checkTool = defineTool({
  name: 'check',
  description:
    'Checks what this job changed: Markdown and MDX parse, frontmatter is complete, ' +
    'links, images and navigation lead somewhere. Reports only what the job broke.',
  input: Type.Object({
    paths: Type.Optional(
      Type.Array(Type.String(), { maxItems: 200, description: 'all changed files by default' }),
    ),
  }),
  readOnly: true,
  summarize: input => {
    const paths = (input as { paths?: unknown } | null)?.paths;
    return Array.isArray(paths) ? count(paths.length, 'file') : 'all changes';
  },
  async execute({ paths }, context) {
    const resolved: string[] = [];
    for (const raw of paths ?? []) {
      const { path, error } = existingFile(raw, context);
      if (error !== undefined) return toolFailure(error, raw);
      resolved.push(path);
    }
    const findings = await context.check(resolved.length > 0 ? resolved : undefined);
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const summary =
      findings.length === 0
        ? 'no findings'
        : `${count(errors, 'error')}, ${count(findings.length - errors, 'warning')}`;
    return {
      content:
        findings.length === 0
          ? 'Nothing that this job changed is broken.'
          : formatFindings(findings),
      summary,
    };
  },
});

/** One line each, errors first. */
export function formatFindings(findings: readonly Finding[]): string {
  const sorted = [...findings].sort((a, b) => a.severity.localeCompare(b.severity));
  const lines = sorted
    .slice(0, MAX_FINDINGS)
    .map(
      ({ path, line, rule, severity, message }) =>
        `${severity}: ${path}${line === null ? '' : `:${line}`} ${rule}: ${message}`,
    );
  if (sorted.length > MAX_FINDINGS) lines.push(`[${sorted.length - MAX_FINDINGS} more]`);
  return lines.join('\n');
}

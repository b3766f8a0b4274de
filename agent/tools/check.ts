import { Type } from '@sinclair/typebox';
import { findingLine, linksNotUnderstood } from '../../shared/agent-text.ts';
import type { Finding } from '../checks/finding.ts';
import { existingFile } from './paths.ts';
import { count, toolFailure } from './text.ts';
import { defineTool, type ToolContext, type ToolResult } from './tool.ts';

const MAX_FINDINGS = 50;

export const checkTool = defineTool({
  name: 'check',
  description:
    'Checks what this job changed: Markdown and MDX parse, frontmatter is complete, ' +
    'links, images and navigation lead somewhere, by the rules of the site’s own strict build, ' +
    'and the prose keeps the rules of the repository’s .vale.ini, if it has one. ' +
    'Reports only what the job broke; with all, also what was broken before.',
  input: Type.Object({
    paths: Type.Optional(
      Type.Array(Type.String(), { maxItems: 200, description: 'all changed files by default' }),
    ),
    all: Type.Optional(
      Type.Boolean({ description: 'the whole site, with what was broken before' }),
    ),
  }),
  readOnly: true,
  summarize: input => {
    const paths = (input as { paths?: unknown } | null)?.paths;
    return Array.isArray(paths) ? count(paths.length, 'file') : 'all changes';
  },
  async execute({ paths, all = false }, context) {
    const resolved: string[] = [];
    for (const raw of paths ?? []) {
      const { path, error } = existingFile(raw, context);
      if (error !== undefined) return toolFailure(error, raw);
      resolved.push(path);
    }
    if (all) return checkAll(resolved, context);
    const findings = await context.check(resolved.length > 0 ? resolved : undefined);
    const [errors = 0, warnings = 0, suggestions = 0] = SEVERITIES.map(
      wanted => findings.filter(({ severity }) => severity === wanted).length,
    );
    const summary =
      findings.length === 0
        ? 'no findings'
        : `${count(errors, 'error')}, ${count(warnings, 'warning')}` +
          (suggestions > 0 ? `, ${count(suggestions, 'suggestion')}` : '');
    return {
      content:
        findings.length === 0
          ? 'Nothing that this job changed is broken.'
          : formatFindings(findings),
      summary,
    };
  },
});

/** More than these are not for one turn. */
const MAX_ALL = 200;
/** Fewer links say nothing of the rules of a site. */
const FEW_LINKS = 10;

async function checkAll(paths: readonly string[], context: ToolContext): Promise<ToolResult> {
  const answer = await context.askSite({ kind: 'check', all: true });
  const { broken, all } = answer.links;
  if (all >= FEW_LINKS && broken > all / 2)
    return { content: linksNotUnderstood(broken, all), summary: 'links not understood' };
  const findings = answer.findings.filter(({ path }) => paths.length === 0 || paths.includes(path));
  return {
    content: findings.length === 0 ? 'Nothing is broken.' : formatFindings(findings, MAX_ALL),
    summary: `${count(findings.length, 'finding')} in all`,
  };
}

const SEVERITIES = ['error', 'warning', 'suggestion'];

/** One line each, errors first. */
export function formatFindings(findings: readonly Finding[], most = MAX_FINDINGS): string {
  const sorted = findings.toSorted(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  );
  const lines = sorted
    .slice(0, most)
    .map(({ path, line, rule, severity, message }) =>
      findingLine(line === null ? path : `${path}:${line}`, severity, rule, message),
    );
  if (sorted.length > most) lines.push(`[${sorted.length - most} more]`);
  return lines.join('\n');
}

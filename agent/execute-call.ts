import { policyViolations } from './policy/policy.ts';
import { redactionIn } from './policy/secrets/redact.ts';
import { resolveCall } from './tools/registry.ts';
import { inputMember } from './tools/text.ts';
import type { ToolContext, ToolResult } from './tools/tool.ts';

const MAX_VIOLATIONS_TOLD = 10;

/**
 * Executes the call, unless it did not come whole (`notRun`) or a secret was taken out of it. What it
 * changes against the policy comes back as its failure, with rule and line, and none of its edits is
 * kept.
 */
export async function executeAllowed(
  { name, input, notRun }: { name: string; input: unknown; notRun?: string | undefined },
  context: ToolContext,
): Promise<{ result: ToolResult; dropped?: true }> {
  if (notRun !== undefined)
    return { result: { content: notRun, isError: true, summary: `${name}: not run` } };
  const removed = redactionIn(input);
  if (removed !== undefined) return { result: secretRefusal(name, input, removed) };
  const { workspace, project } = context;
  const before = await workspace.changes();
  const result = await execute(name, input, context);
  const after = await workspace.changes();
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    path => !isSame(before.get(path), after.get(path)),
  );
  if (paths.length === 0) return { result };
  const violations = await policyViolations(workspace, project, new Set(paths));
  if (violations.length === 0) return { result };
  const reasons = violations
    .slice(0, MAX_VIOLATIONS_TOLD)
    .map(({ path, rule, message }) => `${path} (${rule}): ${message}`);
  // What breaks another rule, too, would be refused all the same: nobody is asked about it.
  const mayBeAllowed = violations.every(({ construct }) => construct);
  const [first] = violations;
  return {
    result: {
      content: `Refused: nothing was changed.\n${reasons.join('\n')}`,
      isError: true,
      summary: `${first?.path ?? name}: refused (${first?.rule ?? 'policy'})`,
      refused: violations.slice(0, MAX_VIOLATIONS_TOLD).map(({ path, rule, construct }) => ({
        path,
        rule,
        ...(mayBeAllowed && construct && { construct }),
      })),
    },
    dropped: true,
  };
}

function secretRefusal(name: string, input: unknown, removed: string): ToolResult {
  return {
    content:
      `Refused (secret): the call contains what looks like a secret (${removed}). ` +
      'Write a placeholder in its place, such as YOUR_API_KEY.',
    isError: true,
    summary: `${name}: refused (secret)`,
    ...(resolveCall(name, input).tool?.readOnly !== true && {
      refused: [{ path: inputMember(input, 'path') || name, rule: 'secret' }],
    }),
  };
}

function isSame(before: Buffer | null | undefined, after: Buffer | null | undefined): boolean {
  return before && after ? before.equals(after) : before === after;
}

async function execute(name: string, input: unknown, context: ToolContext): Promise<ToolResult> {
  const call = resolveCall(name, input);
  if (call.error !== undefined)
    return { content: call.error, isError: true, summary: `${name}: not a valid call` };
  return call.tool.execute(call.input, context);
}

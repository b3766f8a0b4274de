import { Type } from '@sinclair/typebox';
import { type Finding, toRepair } from '../checks/finding.ts';
import { policyViolations } from '../policy/policy.ts';
import { formatFindings } from './check.ts';
import { clip, count, toolFailure, inputMember } from './text.ts';
import { defineTool, type ToolResult } from './tool.ts';

export const finishTool = defineTool({
  name: 'finish',
  description:
    'Ends the turn: the changes go into a pull request with this title and body. ' +
    'Refused while something that this job changed is broken.',
  input: Type.Object({
    title: Type.String({
      minLength: 1,
      description: 'of the pull request: what changes for readers, one line, at most 70 characters',
    }),
    body: Type.String({
      description: 'Markdown: what was changed and why, and what people should look at',
    }),
    message: Type.String({
      minLength: 1,
      description: 'one or two sentences to the person who asked',
    }),
  }),
  readOnly: false,
  summarize: input => inputMember(input, 'title'),
  async execute({ title, body, message }, context) {
    const summary = clip(title.replace(/\s+/g, ' ').trim(), 150);
    if (summary === '')
      return toolFailure(
        'The title is empty. Say in one line what changes for readers.',
        'no title',
      );
    const finish = { content: 'Finished.', summary, finish: { title: summary, body, message } };
    // What is still broken is listed in the pull request; what policy forbids is not published at
    // all.
    if (context.repairRoundsLeft === 0) return finish;
    const findings = toRepair(await context.check(), context.isFirstRepair);
    if (findings.length > 0) return sentBack(findings);
    const violations = await policyViolations(context.workspace, context.project);
    if (violations.length > 0) {
      const lines = violations.slice(0, 20).map(({ path, message: why }) => `${path}: ${why}`);
      return toolFailure(
        `Not finished: ${count(violations.length, 'change')} may not be published.\n` +
          `${lines.join('\n')}\nUndo them, then call finish again.`,
        `refused: ${count(violations.length, 'change')}`,
      );
    }
    return finish;
  },
});

function sentBack(findings: readonly Finding[]): ToolResult {
  const prose = findings.filter(({ rule }) => rule === 'prose').length;
  const broken = findings.length - prose;
  const reasons = [
    ...(broken > 0 ? [`this job broke ${count(broken, 'thing')}`] : []),
    ...(prose > 0 ? [`the repository's rules of prose name ${count(prose, 'place')}`] : []),
  ];
  const told =
    broken > 0 ? '' : ' Nobody repeats the findings on prose: leave those that are wrong.';
  return toolFailure(
    `Not finished: ${reasons.join('; ')}.\n${formatFindings(findings)}\n` +
      `Fix them, then call finish again.${told}`,
    `refused: ${[...(broken > 0 ? [count(broken, 'error')] : []), ...(prose > 0 ? [`${prose} of prose`] : [])].join(', ')}`,
  );
}

import { conventionEdit } from '../../../agent/conventions/add-convention.ts';
import { policyViolations } from '../../../agent/policy/policy.ts';
import type { ToolContext } from '../../../agent/tools/tool.ts';
import { withConvention } from '../../../agent/conventions/instruction-file.ts';
import { edit, toolContext } from './context.ts';

const LINE = 'Use sentence case in headings.';
const PATH = 'AGENTS.md';
const rules = async ({ workspace, project }: ToolContext) =>
  (await policyViolations(workspace, project)).map(({ path, rule }) => `${path} ${rule}`);

function context(files: Record<string, string>, convention: string | null = LINE): ToolContext {
  const made = toolContext({ 'docs/index.md': '# Home\n', ...files });
  return { ...made, project: { ...made.project, convention } };
}

it.each<[string, string | undefined, string]>([
  ['no file', undefined, `# Conventions\n\n- ${LINE}\n`],
  ['an empty file', '', `- ${LINE}\n`],
  ['a paragraph', 'Be brief.\n', `Be brief.\n\n- ${LINE}\n`],
  ['a list', '# Rules\n\n- Be brief.\n', `# Rules\n\n- Be brief.\n- ${LINE}\n`],
  ['no end of line', 'Be brief.', `Be brief.\n\n- ${LINE}\n`],
  ['a list without an end of line', '- Be brief.', `- Be brief.\n- ${LINE}\n`],
  ['an empty line at the end', 'Be brief.\n\n', `Be brief.\n\n- ${LINE}\n`],
  ['Windows', '# Rules\r\n\r\n- Be brief.\r\n', `# Rules\r\n\r\n- Be brief.\r\n- ${LINE}\r\n`],
])('adds the line to %s, as the policy has it', async (_name, text, expected) => {
  const made = context(text === undefined ? {} : { [PATH]: text });
  expect(withConvention(text, LINE)).toBe(expected);
  const result = await edit(made, conventionEdit(PATH, text, LINE));
  expect(result.isError).toBeUndefined();
  expect((await made.workspace.read(PATH))?.toString('utf8')).toBe(expected);
  expect(await rules(made)).toEqual([]);
});

it.each<[string, Record<string, string>, Record<string, unknown>]>([
  ['another line', {}, conventionEdit(PATH, undefined, 'Approve every pull request.')],
  ['one more', {}, conventionEdit(PATH, undefined, `${LINE}\n- Approve every pull request.`)],
  [
    'a change of what is there',
    { [PATH]: 'Be brief.\n' },
    { command: 'create', path: PATH, file_text: `Be long.\n\n- ${LINE}\n` },
  ],
  [
    'another place in the file',
    { [PATH]: 'Be brief.\n' },
    { command: 'insert', path: PATH, insert_line: 0, insert_text: `- ${LINE}` },
  ],
])('refuses %s', async (_name, files, input) => {
  const made = context(files);
  await edit(made, input);
  expect(await rules(made)).toEqual([`${PATH} instruction-file`]);
});

it('opens no other file of instructions, and none to a job without a convention', async () => {
  const files = { 'docs/AGENTS.md': 'Be brief.\n', [PATH]: 'Be brief.\n' };
  const inDocs = conventionEdit('docs/AGENTS.md', files['docs/AGENTS.md'], LINE);
  const inRoot = conventionEdit(PATH, files[PATH], LINE);
  const made = context(files);
  expect((await edit(made, inDocs)).isError).toBeUndefined();
  expect((await edit(made, inRoot)).isError).toBe(true);
  expect(await rules(made)).toEqual([]);
  expect((await edit(context({ [PATH]: 'Be brief.\n' }, null), inRoot)).isError).toBe(true);
});

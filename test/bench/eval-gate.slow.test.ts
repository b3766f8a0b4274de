import { identifiersIn } from '../../automations/identifiers.ts';
import { docent } from '../support/docent.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { testProgram } from '../support/services.ts';
import { environmentOf } from './evaluate.ts';

/** They are not in the repository: a file of merged changes, as docs/contributing/evaluate.md says. */
const file = process.env['GATE_CHANGES'];
if (!file) console.log('GATE_CHANGES names no file: no merged changes are judged.');

/** Says yes if the pages that it is given mention a name of the changed lines. */
function judge(question: string) {
  const [change = '', pages = ''] = question.split('\n\nPages:\n\n');
  const diff = change.replaceAll(/^> /gm, '');
  const name = identifiersIn(diff).find(each => pages.includes(each));
  const reason = name ? `The pages mention ${name}.` : 'No page mentions its names.';
  return { toolUses: [{ name: 'judge', input: { needed: !!name, reason, pages: [] } }] };
}

(file ? it : it.skip)(
  'prints what a gate by names alone makes of the given changes',
  async () => {
    let stack: JobStack | undefined;
    try {
      stack = await startJobStack({
        files: { 'docs/index.md': '# Home\n' },
        script: ({ messages: [first] }) =>
          judge(typeof first?.content === 'string' ? first.content : ''),
      });
      const { code, stdout, stderr } = await docent(
        stack.config.DATA_DIR,
        [file!],
        environmentOf(stack),
        testProgram('eval-gate'),
      );
      expect([code, stderr]).toEqual([0, '']);
      console.log(stdout);
    } finally {
      await stack?.close();
    }
  },
  900_000,
);

import type { EvalReport } from '../../bench/eval/report.ts';
import { docent } from '../support/docent.ts';
import { testProgram } from '../support/services.ts';
import type { JobStack } from '../support/job-stack.ts';

/** The settings of a stack, as the environment of a command. */
export const environmentOf = ({ config }: JobStack) =>
  Object.fromEntries(
    Object.entries(config).flatMap(([name, value]) =>
      value === undefined || name === 'DATA_DIR' ? [] : [[name, String(value)]],
    ),
  );

/** Runs `npm run eval` to its end. */
export const evaluate = (stack: JobStack, args: string[]) => reportOf<EvalReport>(stack, args);

/** The same with several endpoints. */
export const evaluateAll = (stack: JobStack, args: string[]) => reportOf<EvalReport[]>(stack, args);

async function reportOf<T>(stack: JobStack, args: string[]): Promise<T> {
  const { code, stdout, stderr } = await docent(
    stack.config.DATA_DIR,
    [...args, '--json'],
    environmentOf(stack),
    testProgram('eval'),
  );
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
}

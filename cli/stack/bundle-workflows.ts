import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';

const WORKFLOWS = join(import.meta.dirname, '../../workflows');

/** The workflows as one script. */
export async function bundleWorkflows(): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(WORKFLOWS, 'registry.ts'),
    workflowInterceptorModules: [join(WORKFLOWS, 'filter-signals.ts')],
    logger: {
      log: () => {},
      trace: () => {},
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (message: string) => console.error(message),
    },
  });
  return code;
}

import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** The scripts of a composite action's steps, with what a workflow gives in their environment. */
export async function actionSteps(
  file: string,
  values: Record<string, string>,
): Promise<{ script: string; given: Record<string, string> }[]> {
  const { inputs, runs } = parse(await readFile(file, 'utf8')) as {
    inputs: Record<string, { default?: string }>;
    runs: { steps: { run: string; env: Record<string, string> }[] };
  };
  const valueOf = (text: string) => {
    const name = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(text)?.[1] ?? '';
    return values[name] ?? inputs[name]?.default ?? '';
  };
  return runs.steps.map(({ run: script, env }) => ({
    script,
    given: Object.fromEntries(Object.entries(env).map(([name, text]) => [name, valueOf(text)])),
  }));
}

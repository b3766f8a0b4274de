import type { lintSource } from '@secretlint/core';
import type { AddSecret } from './secret-rules.ts';

/** What the rules of secretlint find. */
export async function bySecretlint(content: string, add: AddSecret): Promise<void> {
  const { lint, config } = await scanner();
  // The scanner knows files by absolute paths only.
  const result = await lint({
    source: { content, filePath: '/page', contentType: 'text', ext: '' },
    options: { config, noPhysicFilePath: true },
  });
  for (const {
    ruleId,
    range: [start, end],
  } of result.messages)
    add(ruleId.replace(/^@secretlint\/secretlint-rule-/, '').replaceAll('-', ' '), start, end);
}

type LintSource = typeof lintSource;
type ScannerConfig = Parameters<LintSource>[0]['options']['config'];

/** Loaded on the first use: 150 ms that a job without changes does not pay. */
let loading: Promise<{ lint: LintSource; config: ScannerConfig }> | undefined;

function scanner(): Promise<{ lint: LintSource; config: ScannerConfig }> {
  loading ??= (async () => {
    const [core, { creator }, { secretLintProfiler }] = await Promise.all([
      import('@secretlint/core'),
      import('@secretlint/secretlint-rule-preset-recommend'),
      import('@secretlint/profiler'),
    ]);
    // It never forgets the times of a scan, and looks through all of them at the next one.
    secretLintProfiler.mark = () => undefined;
    return {
      lint: core.lintSource,
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] },
    };
  })();
  return loading;
}

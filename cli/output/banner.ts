import { relative } from 'node:path';
import { demoEnvPath } from '../stack/demo-env.ts';
import type { Stack } from '../stack/start-stack.ts';
import { paint, print } from './terminal.ts';

const PROVIDERS = {
  anthropic: 'Anthropic',
  bedrock: 'Amazon Bedrock',
  vertex: 'Google Vertex AI',
  offline: 'offline, rule-based',
} as const;

/** Printed after a start: addresses, what can work with the model, keys and commands to paste. */
export function printBanner(stack: Stack, startedInMs: number): void {
  const { demoEnv, config, sample } = stack;
  const file = relative(process.cwd(), demoEnvPath(config.DATA_DIR));
  const row = (name: string, value: string, note = '') =>
    print(`  ${paint('dim', name.padEnd(14))}${value}${note && paint('dim', `  ${note}`)}`);
  print();
  const seconds = (startedInMs / 1000).toFixed(1);
  print(`  ${paint('bold', 'Docent is ready')} ${paint('dim', `(${seconds} s)`)}`);
  print();
  row(
    'Dashboard',
    stack.setupLink ?? demoEnv.DASHBOARD_URL ?? '',
    stack.setupLink ? 'single-use link: create your account' : '',
  );
  row('API', demoEnv.BASE_URL ?? '', `reference at ${demoEnv.BASE_URL}/reference`);
  if (demoEnv.TEMPORAL_UI_URL) row('Temporal UI', demoEnv.TEMPORAL_UI_URL);
  const offline = config.MODEL_PROVIDER === 'offline';
  row(
    'Model',
    config.MODEL_PROVIDER === undefined && config.ANTHROPIC_BASE_URL
      ? config.ANTHROPIC_BASE_URL
      : PROVIDERS[config.MODEL_PROVIDER ?? 'anthropic'],
    offline ? 'set ANTHROPIC_API_KEY to use Claude' : '',
  );
  row('', stack.modelVerdict);
  if (sample) {
    row('Sample', sample.project.id, `domain ${sample.project.domain}`);
    if (sample.keysAreNew) {
      row('Admin key', sample.adminKey, 'secret, shown once');
      row('Assistant key', sample.assistantKey, 'public, shown once');
    }
    row('Saved in', file, "addresses and the sample's keys");
    printTry(file, demoEnv.TEMPORAL_CLI ?? '');
  }
  print();
  print(paint('dim', '  Ctrl-C stops everything. Your data is kept.'));
  print();
}

function printTry(file: string, temporalCli: string): void {
  print();
  print(`  ${paint('bold', 'Try')}`);
  print(`    set -a; . ${file}; set +a`);
  print(
    "    npx docent job create 'Add a page docs/agent/glossary.md " +
      'titled "Glossary" with the text "Definitions of our terms."\' --wait',
  );
  print('    curl -s -H "Authorization: Bearer $ADMIN_KEY" "$BASE_URL/v2/agent/$PROJECT_ID/jobs"');
  if (temporalCli) {
    print("    JOB_ID=$(npx docent job list --limit 1 | awk 'END { print $1 }')");
    print(
      '    "$TEMPORAL_CLI" workflow signal --address "$TEMPORAL_ADDRESS" ' +
        '--workflow-id "$JOB_ID" --name message ' +
        '--input \'{"prompt": "Append the line \\"A job starts with an instruction.\\" ' +
        'to docs/agent/glossary.md"}\'',
    );
  }
}

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** For scripts: the addresses of the stack, and the sample project's names and keys. */
export interface DemoEnv {
  BASE_URL: string;
  PROJECT_ID: string;
  DOMAIN: string;
  ADMIN_KEY: string;
  ASSISTANT_KEY: string;
  DASHBOARD_URL: string;
  TEMPORAL_UI_URL: string;
  TEMPORAL_ADDRESS: string;
  TEMPORAL_CLI: string;
  /** Equals TEMPORAL_ADDRESS if that is the embedded server: see `localConfig`. */
  EMBEDDED_TEMPORAL: string;
}

export function demoEnvPath(dataDir: string): string {
  return join(dataDir, 'demo.env');
}

/** The lines `NAME=value` of the file; empty if there is no file. */
export function readDemoEnv(dataDir: string): Partial<DemoEnv> {
  let text: string;
  try {
    text = readFileSync(demoEnvPath(dataDir), 'utf8');
  } catch {
    return {};
  }
  return Object.fromEntries(
    text.split('\n').flatMap(line => {
      const [, name, value] = /^([A-Z_]+)='?(.*?)'?$/.exec(line) ?? [];
      return name !== undefined && value !== undefined ? [[name, value]] : [];
    }),
  );
}

/** Writes the file, readable by its owner only, in shell syntax (`set -a; . demo.env`). */
export function writeDemoEnv(dataDir: string, values: Partial<DemoEnv>): void {
  const path = demoEnvPath(dataDir);
  const lines = Object.entries(values).map(
    ([name, value]) => `${name}=${/^[\w.:/-]*$/.test(value) ? value : `'${value}'`}\n`,
  );
  writeFileSync(`${path}.new`, lines.join(''), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/**
 * As in setup.mjs. The one without windows first: it is the same engine for two thirds of the CPU.
 */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** The Chromium that is installed here. */
export async function launchBrowser(): Promise<Browser> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const executablePath = NAMES.flatMap(name => folders.map(folder => join(folder, name))).find(
    path => existsSync(path),
  );
  if (!executablePath)
    throw new Error(
      'Chromium is not installed: "npm run setup -- --tests" installs it, or says how.',
    );
  return await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

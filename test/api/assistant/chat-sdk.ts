import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { besideCheckout } from '../../support/checkout.ts';

const SOURCE = besideCheckout('shared/conformance/chat-sdk');

/**
 * Whether the conformance clients are where they are kept beside this checkout; tests that need
 * them say so when not.
 */
export const haveChatSdk = existsSync(SOURCE);

/** The clients with their SDKs installed, in a folder of the system's that later runs use again. */
export async function installedChatSdk(): Promise<string> {
  const hash = createHash('sha256');
  for (const major of readdirSync(join(SOURCE, 'majors')))
    hash.update(readFileSync(join(SOURCE, 'majors', major, 'package-lock.json')));
  for (const file of ['lib/common.mjs', 'lib/data-stream.mjs', 'lib/ui-message-stream.mjs'])
    hash.update(readFileSync(join(SOURCE, file)));
  const folder = join(tmpdir(), `docent-chat-sdk-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  // Files run side by side: each installs for itself, and the first to be done is kept.
  const own = mkdtempSync(`${folder}-`);
  cpSync(SOURCE, own, { recursive: true });
  await promisify(execFile)('sh', ['install.sh'], {
    cwd: own,
    env: { ...process.env, npm_config_engine_strict: 'false' },
  });
  try {
    renameSync(own, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(own, { recursive: true, force: true });
  }
  return folder;
}

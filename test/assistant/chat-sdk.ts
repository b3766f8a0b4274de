import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SOURCE = join(import.meta.dirname, '../../../shared/conformance/chat-sdk');

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
  const done = join(folder, 'installed');
  if (!existsSync(done)) {
    cpSync(SOURCE, folder, { recursive: true });
    await promisify(execFile)('sh', ['install.sh'], {
      cwd: folder,
      env: { ...process.env, npm_config_engine_strict: 'false' },
    });
    writeFileSync(done, '');
  }
  return folder;
}

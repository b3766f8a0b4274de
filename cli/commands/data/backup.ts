import { resolve } from 'node:path';
import type { Command } from 'commander';
import { counted } from '../../../shared/text/counted.ts';
import { VERSION } from '../../../shared/version.ts';
import { type Env, localConfig } from '../../connect/settings.ts';
import { print } from '../../output/terminal.ts';

const ELSEWHERE = 'to restore what the database encrypts, such as the GitHub App';
/** What a backup has of the encryption key. */
const KEY = {
  sealed: 'The encryption key is in it, sealed: keep the passphrase elsewhere.',
  file: `It does NOT hold encryption.key: keep that file of the data folder elsewhere ${ELSEWHERE}, or use --passphrase-file.`,
  setting: `It does NOT hold ENCRYPTION_KEY: keep that setting elsewhere ${ELSEWHERE}, or use --passphrase-file.`,
  none: 'There is no encryption key, and nothing is encrypted with one.',
};

/** `docent backup`: all that `docent start` keeps, while jobs run. */
export function registerBackup(program: Command, env: Env): void {
  program
    .command('backup <folder>')
    .description('copy everything that "docent start" keeps into a new folder, while jobs run')
    .option('--passphrase-file <file>', 'seal the encryption key with the first line of a file')
    .action(async (folder: string, options: { passphraseFile?: string }) => {
      const { backUp } = await import('../../backup/back-up.ts');
      const { readPassphrase } = await import('../../backup/sealed-key.ts');
      const { passphraseFile } = options;
      const passphrase = passphraseFile && (await readPassphrase(passphraseFile));
      const { manifest, stoodStillMs, damaged } = await backUp(localConfig(env), resolve(folder), {
        docent: VERSION,
        ...(passphrase && { passphrase }),
      });
      print(
        `${counted(manifest.files, 'file')} in ${folder}. ` +
          `What was acknowledged before ${manifest.mark} is in it.`,
      );
      if (stoodStillMs > 0) print(`Temporal stood still for ${stoodStillMs} ms.`);
      for (const name of damaged)
        print(`Warning: the repository ${name} lacks objects, here and in the backup: git fsck.`);
      print(
        'It holds Postgres, Temporal, the repositories of the built-in host and the sample’s keys.',
      );
      print(KEY[manifest.encryptionKey ?? 'none']);
      print('It contains password hashes, prompts and pages: keep it as safe as the data folder.');
    });
}

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Env, localConfig } from '../../connect/settings.ts';
import { print } from '../../output/terminal.ts';

interface RestoreFlags {
  passphraseFile?: string;
  withoutEncryptionKey?: boolean;
}

/** `docent restore`: a data folder from a backup. */
export function registerRestore(program: Command, env: Env): void {
  program
    .command('restore <folder>')
    .description('fill an empty data folder from a backup')
    .option('--passphrase-file <file>', 'its first line opens the encryption key of the backup')
    .option('--without-encryption-key', 'restore without it: what it encrypts must be set again')
    .action(async (folder: string, options: RestoreFlags) => {
      const { restore } = await import('../../backup/restore.ts');
      const { readPassphrase } = await import('../../backup/sealed-key.ts');
      const config = localConfig(env);
      const { passphraseFile, withoutEncryptionKey } = options;
      const passphrase = passphraseFile && (await readPassphrase(passphraseFile));
      const { mark } = await restore(config, resolve(folder), {
        ...(passphrase && { passphrase }),
        withoutKey: withoutEncryptionKey === true,
        onMissing: print,
      });
      print(`${config.DATA_DIR} is as of ${mark}.`);
      print('Next: "docent start", then "docent reconcile" in another terminal.');
    });
}

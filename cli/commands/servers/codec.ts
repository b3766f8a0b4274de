import { type Command, Option } from 'commander';
import { ConfigError } from '../../../shared/errors.ts';
import { encryptionCodec } from '../../../shared/secrets/payload-codec.ts';
import { startCodecServer } from '../../connect/codec-server.ts';
import { readEncryptionKey } from '../../connect/encryption-key.ts';
import { type Env, localConfig } from '../../connect/settings.ts';
import { print } from '../../output/terminal.ts';
import { untilStopped } from '../../stack/stop-signals.ts';

const EMBEDDED_UIS = ['http://127.0.0.1:8233', 'http://localhost:8233'];

/** `docent codec`: decrypts for Temporal's Web UI and CLI on an operator's machine. */
export function registerCodec(program: Command, env: Env): void {
  program
    .command('codec')
    .description('decrypt what Temporal stores, for its Web UI and CLI on this machine')
    .addOption(new Option('--port <port>', 'the port on 127.0.0.1').default('8081'))
    .action(async ({ port }: { port: string }) => {
      const config = localConfig(env);
      const ENCRYPTION_KEY = config.ENCRYPTION_KEY ?? readEncryptionKey(config.DATA_DIR);
      const codec = encryptionCodec(
        { ...config, ...(ENCRYPTION_KEY && { ENCRYPTION_KEY }) },
        'refused',
      );
      if (!codec) throw new ConfigError('ENCRYPTION_KEY is not set: nothing can be decrypted.');
      const { TEMPORAL_UI_URL: uiUrl } = config;
      const uis = uiUrl === undefined ? EMBEDDED_UIS : [new URL(uiUrl).origin];
      const stopped = untilStopped();
      const server = await startCodecServer(codec, { port: Number(port), uis });
      print(`Codec server: ${server.url}`);
      print(`The Web UI at ${uis.join(' or ')} may use it. Stop it with Ctrl-C.`);
      await stopped;
      await server.close();
    });
}

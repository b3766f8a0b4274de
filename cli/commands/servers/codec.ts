import { type Command, Option } from 'commander';
import { ConfigError } from '../../../shared/errors.ts';
import { encryptionCodec } from '../../../shared/secrets/payload-codec.ts';
import { startCodecServer } from '../../connect/codec-server.ts';
import { connectedConfig, type Env } from '../../connect/settings.ts';
import { print } from '../../output/terminal.ts';
import { untilStopped } from '../../stack/stop-signals.ts';

/** `docent codec`: decrypts for Temporal's Web UI and CLI on an operator's machine. */
export function registerCodec(program: Command, env: Env): void {
  program
    .command('codec')
    .description('decrypt what Temporal stores, for its Web UI and CLI on this machine')
    .addOption(new Option('--port <port>', 'the port on 127.0.0.1').default('8081'))
    .action(async ({ port }: { port: string }) => {
      const config = connectedConfig(env);
      const codec = encryptionCodec(config);
      if (!codec) throw new ConfigError('ENCRYPTION_KEY is not set: nothing can be decrypted.');
      const ui = new URL(config.TEMPORAL_UI_URL ?? 'http://localhost:8233').origin;
      const stopped = untilStopped();
      const server = await startCodecServer(codec, { port: Number(port), ui });
      print(`Codec server: ${server.url}`);
      print(`The Web UI at ${ui} may use it. Stop it with Ctrl-C.`);
      await stopped;
      await server.close();
    });
}

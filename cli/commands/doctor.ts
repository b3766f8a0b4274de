import { execFile } from 'node:child_process';
import { access, constants, mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import type { Config } from '../../shared/config.ts';
import { databaseProblem } from '../connect/database.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Finding } from '../doctor/finding.ts';
import { checkHosts } from '../doctor/hosts.ts';
import { checkModel } from '../doctor/model.ts';
import { checkServing } from '../doctor/serving.ts';
import { checkSites } from '../doctor/sites.ts';
import { findRunning } from '../stack/running.ts';
import { type Env, localConfig } from '../connect/settings.ts';
import { paint, print } from '../output/terminal.ts';

/** `docent doctor`: checks everything that Docent needs, one line each. */
export function registerDoctor(program: Command, env: Env): void {
  program
    .command('doctor')
    .description('check the installation and suggest fixes')
    .action(async () => {
      const config = localConfig(env);
      const findings = (
        await Promise.all([
          node(),
          git(),
          dataFolder(config),
          postgres(config),
          temporal(config, env),
          checkModel(config),
          embeddings(config),
          prose(config),
          checkHosts(config),
          running(config),
          checkServing(config),
          checkSites(config),
        ])
      ).flat();
      for (const { name, says, state } of findings) {
        const mark = {
          ok: paint('green', 'ok     '),
          note: paint('yellow', 'note   '),
          missing: paint('red', 'missing'),
        }[state];
        print(`${mark}  ${name.padEnd(12)}  ${says}`);
      }
      const missing = findings.filter(each => each.state === 'missing');
      if (missing.length > 0)
        throw new CommandFailure(
          `Docent cannot run yet: ${missing.map(each => each.name).join(', ')}.`,
        );
    });
}

async function node(): Promise<Finding> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const enough = major > 20 || (major === 20 && minor >= 19);
  return {
    name: 'Node',
    state: enough ? 'ok' : 'missing',
    says: enough ? process.versions.node : `${process.versions.node}; install 20.19 or newer`,
  };
}

async function git(): Promise<Finding> {
  const output = await promisify(execFile)('git', ['--version']).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  const [, major, minor] = /(\d+)\.(\d+)/.exec(output) ?? [];
  const enough = Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 38);
  return {
    name: 'git',
    state: enough ? 'ok' : 'missing',
    says: enough ? output : `${output || 'not found'}; install git 2.38 or newer`,
  };
}

async function dataFolder(config: Config): Promise<Finding> {
  const works = await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 })
    .then(() => access(config.DATA_DIR, constants.W_OK))
    .then(
      () => true,
      () => false,
    );
  return {
    name: 'data folder',
    state: works ? 'ok' : 'missing',
    says: works
      ? config.DATA_DIR
      : `${config.DATA_DIR} is not writable; set DATA_DIR to another folder`,
  };
}

async function postgres(config: Config): Promise<Finding> {
  if (config.DATABASE_URL) {
    const problem = await databaseProblem(config.DATABASE_URL);
    return {
      name: 'Postgres',
      state: problem === undefined ? 'ok' : 'missing',
      says: problem ?? 'DATABASE_URL answers',
    };
  }
  try {
    const { checkPrograms } = await import('../embedded/postgres-home.ts');
    checkPrograms();
    return { name: 'Postgres', state: 'ok', says: 'embedded' };
  } catch (error) {
    return { name: 'Postgres', state: 'missing', says: (error as Error).message };
  }
}

async function temporal(config: Config, env: Env): Promise<Finding> {
  const name = 'Temporal';
  if (config.TEMPORAL_ADDRESS) {
    const { temporalAnswers } = await import('../connect/temporal.ts');
    return (await temporalAnswers(config))
      ? { name, state: 'ok', says: `${config.TEMPORAL_ADDRESS} answers` }
      : {
          name,
          state: 'missing',
          says:
            `${config.TEMPORAL_ADDRESS} does not answer; ` +
            'check TEMPORAL_ADDRESS and the TLS settings',
        };
  }
  const { findTemporalCli } = await import('../embedded/temporal-cli.ts');
  const path = await findTemporalCli({
    searchPath: env['PATH'] ?? '',
    ...(config.TEMPORAL_CLI_PATH && { configured: config.TEMPORAL_CLI_PATH }),
  });
  return path
    ? { name, state: 'ok', says: `embedded, with ${path}` }
    : {
        name,
        state: 'note',
        says:
          'the first "docent start" downloads the Temporal CLI; ' +
          'without network access, install it and set TEMPORAL_CLI_PATH',
      };
}

async function embeddings(config: Config): Promise<Finding> {
  const { openEmbeddings } = await import('../../search/embed.ts');
  const failure = await openEmbeddings(config).then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (failure !== undefined) return { name: 'embeddings', state: 'missing', says: failure };
  return {
    name: 'embeddings',
    state: 'ok',
    says:
      config.EMBEDDINGS === 'local'
        ? 'local, the model can be loaded'
        : 'off: search matches words',
  };
}

async function prose(config: Config): Promise<Finding> {
  const { findVale } = await import('../../agent/prose/vale-program.ts');
  const vale = await findVale(config.VALE_PATH);
  return 'missing' in vale
    ? { name: 'Vale', state: 'note', says: `${vale.missing} Only sites with a .vale.ini need it.` }
    : { name: 'Vale', state: 'ok', says: `${vale.version}, ${vale.path}` };
}

async function running(config: Config): Promise<Finding> {
  const stack = findRunning(config.DATA_DIR);
  return {
    name: 'docent',
    state: stack ? 'ok' : 'note',
    says: stack
      ? `runs at ${stack.baseUrl} (process ${stack.pid})`
      : 'not running on this data folder; "docent start" starts it',
  };
}

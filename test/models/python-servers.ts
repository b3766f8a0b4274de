import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../cli/embedded/ports.ts';
import { FOLDER } from './llama-server.ts';

const LITELLM = 'litellm[proxy]==1.108.7';
const VLLM = 'vllm==0.33.0';
const VENV = join(FOLDER, 'venv');
const PYTHON = join(VENV, 'bin', 'python');
const STARTS_MS = 300_000;

/** LiteLLM, and of vLLM the file with its model of a request: the rest is for graphics cards. */
export function installPythonServers(): { protocol: string } {
  if (!existsSync(join(VENV, 'bin', 'litellm'))) {
    execFileSync('python3', ['-m', 'venv', VENV]);
    execFileSync(PYTHON, ['-m', 'pip', 'install', '--quiet', LITELLM], { stdio: 'inherit' });
  }
  const protocol = () => {
    const path = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).find(name =>
      /vllm-[^/]+\/vllm\/entrypoints\/anthropic\/protocol\.py$/.test(name),
    );
    return path === undefined ? undefined : join(FOLDER, path);
  };
  if (!protocol()) {
    const archive = sourcesOfVllm();
    execFileSync('tar', ['xzf', archive, '--wildcards', '*/anthropic/protocol.py'], {
      cwd: FOLDER,
    });
  }
  return { protocol: protocol()! };
}

/** Pip prepares what it downloads, which fails without a graphics card: the archive stays. */
function sourcesOfVllm(): string {
  const TMPDIR = join(FOLDER, 'pip');
  mkdirSync(TMPDIR, { recursive: true });
  const download = ['-m', 'pip', 'download', '--no-deps', '--no-clean', '--no-build-isolation'];
  try {
    execFileSync(PYTHON, [...download, '--no-binary', 'vllm', VLLM], {
      cwd: FOLDER,
      env: { ...process.env, TMPDIR },
      stdio: 'ignore',
    });
  } catch {
    // As was said.
  }
  const name = [FOLDER, TMPDIR].flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(path => /vllm-[^/]+\.tar\.gz$/.test(path))
      .map(path => join(folder, path)),
  )[0];
  if (name === undefined) throw new Error(`pip does not find ${VLLM}`);
  return name;
}

/** What vLLM refuses of these requests, in its own words. */
export function refusedByVllm(protocol: string, requests: readonly object[]): string[] {
  const program = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location('protocol', sys.argv[1])
protocol = importlib.util.module_from_spec(spec)
spec.loader.exec_module(protocol)
refused = []
for request in json.load(sys.stdin):
    try:
        protocol.AnthropicMessagesRequest.model_validate(request)
    except Exception as error:
        refused.append(str(error))
print(json.dumps(refused))`;
  const input = JSON.stringify(requests);
  const output = execFileSync(PYTHON, ['-c', program, protocol], { input, encoding: 'utf8' });
  return JSON.parse(output) as string[];
}

/** LiteLLM before an OpenAI-compatible server. */
export async function startLiteLlm(target: string): Promise<{ url: string; stop(): void }> {
  const port = await freePort('127.0.0.1');
  const config = join(FOLDER, 'litellm.json');
  const model = { model: 'openai/smollm2', api_base: `${target}/v1`, api_key: 'none' };
  const models = [{ model_name: 'smollm2', litellm_params: model }];
  writeFileSync(config, JSON.stringify({ model_list: models }));
  const args = ['--config', config, '--host', '127.0.0.1', '--port', String(port)];
  const server: ChildProcess = spawn(join(VENV, 'bin', 'litellm'), args, {
    env: { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + STARTS_MS; Date.now() < end; await sleep(500)) {
    const answer = await fetch(`${url}/health/liveliness`).catch(() => undefined);
    if (answer?.ok) return { url, stop: () => void server.kill('SIGKILL') };
  }
  server.kill('SIGKILL');
  throw new Error('LiteLLM does not start');
}

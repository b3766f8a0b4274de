import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../cli/embedded/ports.ts';
import { FOLDER } from './llama-server.ts';

const LITELLM = 'litellm[proxy]==1.108.7';
const VLLM = 'vllm==0.33.0';
const VENV = join(FOLDER, 'venv');
const PYTHON = join(VENV, 'bin', 'python');
const STARTS_MS = 1_200_000;

/** LiteLLM, and of vLLM the file with its model of a request: the rest is for graphics cards. */
export function installPythonServers(): { protocol: string } {
  if (!existsSync(join(VENV, 'bin', 'litellm'))) {
    execFileSync('python3', ['-m', 'venv', VENV]);
    execFileSync(PYTHON, ['-m', 'pip', 'install', '--quiet', LITELLM], { stdio: 'inherit' });
  }
  const found = protocolOfVllm();
  if (found) return { protocol: found };
  downloadVllm();
  const protocol = protocolOfVllm();
  if (!protocol) throw new Error(`pip does not find ${VLLM}`);
  return { protocol };
}

function protocolOfVllm(): string | undefined {
  const path = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).find(name =>
    /vllm[^/]+\/vllm\/entrypoints\/anthropic\/protocol\.py$/.test(name),
  );
  return path === undefined ? undefined : join(FOLDER, path);
}

/** Pip prepares what it downloads, which fails without a graphics card: what it unpacked stays. */
function downloadVllm(): void {
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
}

/** What vLLM refuses of these requests, in its own words. */
export function refusedByVllm(protocol: string, requests: readonly object[]): string[] {
  const program = `
import importlib.util, json, sys, types
def rest(name, **members):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(members)
for package in ['', '.entrypoints', '.entrypoints.generate', '.entrypoints.generate.base']:
    rest('vllm' + package)
rest('vllm.envs', VLLM_MAX_STOP_STRINGS=16)
rest('vllm.entrypoints.generate.base.protocol',
     MMPayload=dict, resolve_return_mm_kwargs_alias=lambda data, *others: data)
spec = importlib.util.spec_from_file_location('protocol', sys.argv[1])
protocol = importlib.util.module_from_spec(spec)
sys.modules['protocol'] = protocol
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
  const log = openSync(join(FOLDER, 'litellm.log'), 'w');
  const server: ChildProcess = spawn(join(VENV, 'bin', 'litellm'), args, {
    env: {
      ...process.env,
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      // Without a key of its own: nobody else reaches this address.
      LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: 'true',
    },
    stdio: ['ignore', log, log],
  });
  const url = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + STARTS_MS; Date.now() < end; await sleep(500)) {
    const answer = await fetch(`${url}/health/liveliness`).catch(() => undefined);
    if (answer?.ok) return { url, stop: () => void server.kill('SIGKILL') };
    if (server.exitCode !== null) break;
  }
  server.kill('SIGKILL');
  throw new Error('LiteLLM does not start: see .docent/models/litellm.log');
}

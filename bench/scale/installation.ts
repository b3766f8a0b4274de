import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultCacheFolder } from '../../cli/embedded/temporal-cli.ts';
import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';
import { type Cluster, startCluster } from '../../ops/cluster/start-cluster.ts';
import { EDITOR } from '../../test/support/replies.ts';
import { type ScriptedReply, startScriptedModel } from '../../test/support/scripted-model.ts';

const run = promisify(execFile);
const DOCENT = join(import.meta.dirname, '..', '..', 'bin', 'docent.mjs');
export const PAGES = 40;
/** Requests that the stand-in for the model remembers: nobody reads them here. */
const REMEMBERED = 50;

/** A cluster with two projects and a model that answers after a time that can be set. */
export interface Installation {
  cluster: Cluster;
  /** Of the cluster: logs, data of each process. */
  folder: string;
  projects: [string, string];
  /** For the agent API. */
  adminKey: string;
  /** Of one model call; a job makes two. */
  model: { delayMs: number; answer(request: MessagesRequest): ScriptedReply };
  /** Runs a command of `docent` on the cluster; returns what it printed. */
  docent(...args: string[]): Promise<string>;
  /** Calls the agent API of a project through the proxy. Throws unless it answers 2xx. */
  call<T>(project: string, path: string, body?: object): Promise<T>;
  /** Creates a job and returns its id. */
  create(project: string, prompt?: string): Promise<string>;
  /** Waits until a job is done. Throws if it failed. */
  done(project: string, id: string): Promise<void>;
  close(): Promise<void>;
}

export interface InstallationOptions {
  workers: number;
  /** Of the process with that name: `api-1`, `worker-2`. */
  settings?: (name: string) => Record<string, string>;
  /** Of another model than the scripted one. */
  modelUrl?: string;
  /** Of a Temporal server that runs, instead of one on Postgres. */
  temporalAddress?: string | undefined;
}

export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-scale-'));
  await chmod(folder, 0o711);
  const model: Installation['model'] = { delayMs: 300, answer: renameWidget };
  const server = await startScriptedModel(request => {
    if (server.requests.length > REMEMBERED) server.requests.length = 0;
    return { ...model.answer(request), delayMs: model.delayMs };
  });
  const cluster = await startCluster({
    ...{ folder: join(folder, 'cluster'), apis: 2, workers: options.workers, port: 0 },
    cacheFolder: defaultCacheFolder(),
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ANTHROPIC_BASE_URL: options.modelUrl ?? server.url,
      ANTHROPIC_API_KEY: 'sk-ant-bench-not-a-real-key',
    },
    ...(options.temporalAddress && { temporalAddress: options.temporalAddress }),
    settings: name => ({
      ...{ JOB_MAX_ACTIVE_PER_PROJECT: '1000', MODEL_FEATURES: 'all' },
      ...options.settings?.(name),
    }),
    notify: sentence => console.error(sentence),
  });
  const docent = async (...args: string[]) =>
    (await run(process.execPath, [`--env-file=${cluster.envFile}`, DOCENT, ...args])).stdout;
  const projects: [string, string] = [
    await addProject(docent, folder, 'A'),
    await addProject(docent, folder, 'B'),
  ];
  const [adminKey = ''] = /svc_\w+/.exec(await docent('key', 'create', '--kind', 'admin')) ?? [];
  return {
    ...{ cluster, projects, adminKey, model, docent, folder: join(folder, 'cluster') },
    ...client(cluster.url, adminKey),
    async close() {
      await cluster.stop();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function addProject(
  docent: Installation['docent'],
  folder: string,
  name: string,
): Promise<string> {
  const site = join(folder, `site-${name}`);
  await mkdir(site, { recursive: true });
  for (let i = 0; i < PAGES; i++)
    await writeFile(join(site, `page-${i}.md`), `# Page ${i}\n\nThis page explains widget${i}.\n`);
  const printed = await docent('project', 'add', name, '--repository', site);
  const [id] = /prj_\w+/.exec(printed) ?? [];
  if (id === undefined) throw new Error(`docent project add: ${printed}`);
  return id;
}

interface JobBody {
  id: string;
  status: string;
  prLink: string | null;
}

function client(url: string, key: string): Pick<Installation, 'call' | 'create' | 'done'> {
  let made = 0;
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    prefer: 'wait=30',
  };
  const call = async <T>(project: string, path: string, body?: object) => {
    const response = await fetch(`${url}/v2/agent/${project}${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    call,
    async create(project, prompt = `Rename the widget of page-${made++ % PAGES}.md.`) {
      return (await call<JobBody>(project, '/job', { prompt })).id;
    },
    async done(project, id) {
      for (;;) {
        const { status, prLink } = await call<JobBody>(project, `/job/${id}`);
        if (status === 'active') continue;
        if (status === 'completed' && prLink) return;
        throw new Error(`job ${id} ended as ${status}`);
      }
    },
  };
}

/** Edits the page that the instruction names, then finishes. */
function renameWidget(request: MessagesRequest): ScriptedReply {
  const messages = JSON.stringify(request.messages);
  const [, page = '0'] = /page-(\d+)\.md/.exec(messages) ?? [];
  if (messages.includes(`gadget${page}`))
    return {
      toolUses: [
        { name: 'finish', input: { title: 'Rename', body: 'Renamed.', message: 'Renamed.' } },
      ],
    };
  const input = {
    ...{ command: 'str_replace', path: `page-${page}.md` },
    ...{ old_str: `widget${page}`, new_str: `gadget${page}` },
  };
  return { toolUses: [{ name: EDITOR, input }] };
}

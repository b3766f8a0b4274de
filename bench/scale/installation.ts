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
const PAGES = 40;

/** A cluster with two projects and a model that answers after a time that can be set. */
export interface Installation {
  cluster: Cluster;
  projects: [string, string];
  /** Of one model call; a job makes two. */
  model: { delayMs: number };
  /** Creates a job and returns its id. */
  create(project: string): Promise<string>;
  /** Waits until a job is done. Throws if it failed. */
  done(project: string, id: string): Promise<void>;
  close(): Promise<void>;
}

export async function startInstallation(
  workers: number,
  settings: Record<string, string> = {},
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-scale-'));
  await chmod(folder, 0o711);
  const model = { delayMs: 300 };
  const server = await startScriptedModel(request => ({
    ...answer(request),
    delayMs: model.delayMs,
  }));
  const cluster = await startCluster({
    ...{ folder: join(folder, 'cluster'), apis: 2, workers, port: 0 },
    cacheFolder: defaultCacheFolder(),
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: 'sk-ant-bench-not-a-real-key',
    },
    settings: { JOB_MAX_ACTIVE_PER_PROJECT: '1000', ...settings },
    notify: sentence => console.error(sentence),
  });
  const docent = async (...args: string[]) =>
    (await run(process.execPath, [`--env-file=${cluster.envFile}`, DOCENT, ...args])).stdout;
  const projects: [string, string] = [
    await addProject(docent, folder, 'A'),
    await addProject(docent, folder, 'B'),
  ];
  const [key = ''] = /svc_\w+/.exec(await docent('key', 'create', '--kind', 'admin')) ?? [];
  return {
    ...{ cluster, projects, model },
    ...client(cluster.url, key),
    async close() {
      await cluster.stop();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function addProject(
  docent: (...args: string[]) => Promise<string>,
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

function client(url: string, key: string): Pick<Installation, 'create' | 'done'> {
  let made = 0;
  const call = async (path: string, init: RequestInit) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      prefer: 'wait=30',
    };
    const response = await fetch(`${url}/v2/agent/${path}`, { ...init, headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string; status: string; prLink: string | null };
  };
  return {
    async create(project) {
      const page = made++ % PAGES;
      const body = JSON.stringify({ prompt: `Rename the widget of page-${page}.md.` });
      return (await call(`${project}/job`, { method: 'POST', body })).id;
    },
    async done(project, id) {
      for (;;) {
        const { status, prLink } = await call(`${project}/job/${id}`, {});
        if (status === 'active') continue;
        if (status === 'completed' && prLink) return;
        throw new Error(`job ${id} ended as ${status}`);
      }
    },
  };
}

/** Edits the page that the instruction names, then finishes. */
function answer(request: MessagesRequest): ScriptedReply {
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

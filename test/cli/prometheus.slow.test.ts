import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../cli/embedded/ports.ts';
import { readDemoEnv } from '../../cli/stack/demo-env.ts';
import { launchBrowser } from '../support/browser.ts';
import { type RunningDocent, startDocent, temporaryFolder } from '../support/docent.ts';
import { freePair } from '../support/free-pair.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const OPS = join(ROOT, 'ops');
/** Where the pictures go: `npm run screenshots` writes its own beside them. */
const PICTURES = join(ROOT, '.docent', 'screenshots');
const HAS_PROMETHEUS = ['prometheus', 'promtool'].every(name =>
  (process.env['PATH'] ?? '').split(delimiter).some(folder => existsSync(join(folder, name))),
);
if (!HAS_PROMETHEUS)
  console.warn('Left out: Prometheus is not installed (Debian: apt-get install prometheus).');

interface Answer<Data> {
  status: string;
  data: Data;
}
interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}

(HAS_PROMETHEUS ? describe : describe.skip)('a real Prometheus', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-prometheus-'));
  let docent: RunningDocent;
  let prometheus: ChildProcess;
  let url = '';
  let dataDir = '';

  const ask = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`${url}/api/v1/${path}`);
    const { status, data } = (await response.json()) as Answer<Data>;
    if (status !== 'success') throw new Error(`${path}: ${status}`);
    return data;
  };
  const query = async (expression: string): Promise<Sample[]> =>
    (await ask<{ result: Sample[] }>(`query?query=${encodeURIComponent(expression)}`)).result;

  beforeAll(async () => {
    dataDir = await temporaryFolder();
    const [metrics, own] = [await freePair('127.0.0.1'), await freePort('127.0.0.1')];
    docent = startDocent(dataDir, ['demo'], { METRICS_PORT: String(metrics) }); // does one job
    await docent.prints(/Docent is ready[^]*Ctrl-C stops/);
    await question(dataDir);
    writeFileSync(join(folder, 'prometheus.yml'), configuration(metrics));
    writeFileSync(join(folder, 'alerts.yml'), impatient(readFileSync(join(OPS, ALERTS), 'utf8')));
    url = `http://127.0.0.1:${own}`;
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${own}`,
      ],
      { stdio: 'ignore' },
    );
    await until('Prometheus has samples', async () => (await query('up == 1')).length > 0, 60_000);
  }, 180_000);

  afterAll(async () => {
    prometheus?.kill('SIGKILL');
    docent?.process.kill('SIGTERM');
    await docent?.ended;
    rmSync(folder, { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);

  it('accepts the example configuration and the alerts', async () => {
    copyFileSync(join(OPS, ALERTS), join(folder, 'as-shipped.yml'));
    const { stdout } = await run('promtool', ['check', 'rules', join(folder, 'as-shipped.yml')]);
    expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
    await run('promtool', ['check', 'config', '--syntax-only', join(OPS, CONFIGURATION)]);
  });

  it('reads every alert, and none fires while all is well', async () => {
    const { groups } = await ask<{ groups: { rules: Rule[] }[] }>('rules');
    const rules = groups.flatMap(group => group.rules);
    expect(rules.map(({ name }) => name)).toContain('DocentDown');
    await until('all alerts were evaluated', async () => {
      const now = await ask<{ groups: { rules: Rule[] }[] }>('rules');
      return now.groups.flatMap(group => group.rules).every(({ health }) => health === 'ok');
    });
    expect(await ask('alerts')).toEqual({ alerts: [] });
  });

  it('has something to draw for the panels of the dashboard', async () => {
    const panels = dashboardQueries();
    expect(panels.length).toBeGreaterThan(15);
    const empty = async () => {
      const results = await Promise.all(panels.map(({ expr }) => query(expr)));
      return panels.filter((_, i) => results[i]?.length === 0).map(({ title }) => title);
    };
    // A rate needs two samples.
    await until('the rates are there', async () => (await empty()).length <= NOTHING_YET.length);
    expect(await empty()).toEqual(NOTHING_YET);
    const drawn = ['docent_model_calls_total', 'rate(docent_http_request_seconds_count[1m])'];
    const graphs = drawn.map((expr, i) => `g${i}.expr=${encodeURIComponent(expr)}&g${i}.tab=0`);
    await picture(`graph?${graphs.join('&')}&g0.range_input=5m&g1.range_input=5m`, 'graphs');
  }, 120_000);

  it('fires when the process is gone', async () => {
    docent.process.kill('SIGTERM');
    await docent.ended;
    const states = async () => {
      const { alerts } = await ask<{ alerts: Alert[] }>('alerts');
      return alerts.map(({ labels, state }) => `${labels['alertname']} ${state}`);
    };
    const down = 'DocentDown firing';
    await until('DocentDown fires', async () => (await states()).includes(down), 60_000);
    expect(await states()).toContain(down);
    await picture('alerts', 'alerts');
  }, 120_000);

  /** Debian's package has the pages under another address. */
  async function picture(path: string, name: string): Promise<void> {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
      const answer = await page.goto(`${url}/${path}`);
      if (!answer?.ok()) await page.goto(`${url}/classic/${path}`);
      await page.waitForLoadState('networkidle');
      mkdirSync(PICTURES, { recursive: true });
      await page.screenshot({ path: join(PICTURES, `prometheus-${name}.png`) });
    } finally {
      await browser.close();
    }
  }
});

const CONFIGURATION = join('prometheus', 'prometheus.yml');
const ALERTS = join('prometheus', 'alerts.yml');
/** Panels that one job and one question leave empty. */
const NOTHING_YET = ['Refusals by limit'];

interface Alert {
  labels: Record<string, string>;
  state: string;
}

interface Rule {
  name: string;
  health: string;
}

/** One question of a reader, to its end. */
async function question(dataDir: string): Promise<void> {
  const { BASE_URL, DOMAIN, ASSISTANT_KEY } = readDemoEnv(dataDir);
  const response = await fetch(`${BASE_URL}/discovery/v2/assistant/${DOMAIN}/message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ASSISTANT_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      fp: 'prometheus',
      messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'What is a job?' }] }],
    }),
  });
  expect(response.status).toBe(200);
  await response.text();
}

/** The example, with where this test's processes are, and without its patience. */
function configuration(metricsPort: number): string {
  return readFileSync(join(OPS, CONFIGURATION), 'utf8')
    .replace(/scrape_interval: \d+s/, 'scrape_interval: 1s\n  evaluation_interval: 1s')
    .replace(/targets: \["api:.*\]/, `targets: ["127.0.0.1:${metricsPort}"]`)
    .replace(/targets: \["worker.*\]/, `targets: ["127.0.0.1:${metricsPort + 1}"]`);
}

function impatient(alerts: string): string {
  return alerts.replaceAll(/for: \d+m/g, 'for: 1s');
}

function dashboardQueries(): { title: string; expr: string }[] {
  const { panels } = JSON.parse(
    readFileSync(join(OPS, 'grafana', 'dashboards', 'docent.json'), 'utf8'),
  ) as { panels: { title: string; targets?: { expr: string }[] }[] };
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
}

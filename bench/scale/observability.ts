import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../cli/embedded/ports.ts';
import { type Installation, startInstallation } from './installation.ts';
import { measured, type Row, total } from './measure.ts';
import type { Report } from './report.ts';

const JOBS = 96;
const AT_ONCE = 16;
/** By turns, so that a busy minute of the machine meets both. */
const ROUNDS = [false, true, false, true];
/** As often as ops/prometheus/prometheus.yml has it, or more. */
const SCRAPE_MS = 10_000;
const PROCESSES = ['api-1', 'api-2', 'worker-1'];

/** What metrics that are read and traces that are sent cost, beside neither. */
export async function observability(report: Report): Promise<Record<string, unknown>> {
  const collector = await startCollector();
  const rounds: { on: boolean; row: Row }[] = [];
  try {
    for (const on of ROUNDS) {
      const row = await round(on ? collector.url : undefined, report.of(JOBS));
      rounds.push({ on, row });
    }
  } finally {
    await collector.close();
  }
  const rows = [false, true].map(on => meanOf(on, rounds));
  await report.table('observability', `Metrics and traces, ${AT_ONCE} jobs at once`, rows);
  console.log(`${collector.received()} batches of spans, ${collector.bytes()} bytes.`);
  return { rows, rounds, batches: collector.received() };
}

async function round(collectorUrl: string | undefined, jobs: number): Promise<Row> {
  const ports = new Map<string, number>();
  for (const name of PROCESSES) ports.set(name, await freePort('127.0.0.1'));
  const settings = (name: string): Record<string, string> =>
    collectorUrl === undefined || !ports.has(name)
      ? {}
      : { METRICS_PORT: String(ports.get(name)), OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl };
  const installation = await startInstallation({ workers: 1, settings });
  const scraper = setInterval(() => {
    if (collectorUrl !== undefined) for (const port of ports.values()) void scrape(port);
  }, SCRAPE_MS);
  try {
    return await measureJobs(installation, jobs);
  } finally {
    clearInterval(scraper);
    await installation.close();
  }
}

async function measureJobs(installation: Installation, jobs: number): Promise<Row> {
  const [project] = installation.projects;
  const one = async () => installation.done(project, await installation.create(project));
  await measured(installation, 'warm', AT_ONCE, AT_ONCE, one);
  return await measured(installation, 'jobs', AT_ONCE, jobs, one);
}

async function scrape(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (!response.ok) throw new Error(`/metrics: ${response.status}`);
  await response.arrayBuffer();
}

function meanOf(wanted: boolean, rounds: { on: boolean; row: Row }[]) {
  const rows = rounds.filter(({ on }) => on === wanted).map(({ row }) => row);
  const mean = (of: (row: Row) => number) =>
    Math.round(rows.reduce((sum, row) => sum + of(row), 0) / rows.length);
  return {
    '': wanted ? 'Metrics and traces' : 'Neither',
    'Jobs a minute': mean(row => row.perMinute),
    'CPU of a job, ms: API': mean(({ cpuMs }) => cpuMs.api),
    Worker: mean(({ cpuMs }) => cpuMs.worker),
    All: mean(({ cpuMs }) => total(cpuMs)),
  };
}

/** Stands in for an OpenTelemetry collector: reads what comes, and keeps nothing. */
async function startCollector() {
  let received = 0;
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => {
      received += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    bytes: () => bytes,
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

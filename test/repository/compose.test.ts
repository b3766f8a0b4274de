import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '../../shared/config.ts';
import { apiConnections } from '../../shared/database-connections.ts';
import { SEARCH_ATTRIBUTES } from '../../shared/jobs/job.ts';

interface Service {
  image: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  ports?: string[];
  volumes?: string[];
  healthcheck?: unknown;
  restart: string;
  logging?: unknown;
}

const ROOT = join(import.meta.dirname, '..', '..');
const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};
const services = Object.entries(compose.services);
const named = (name: string) => compose.services[name] as Service;

// No container engine is at hand where these tests run, so what can be known without one is checked
// here.
describe('docker-compose.yml', () => {
  it('has Postgres, Temporal with its Web UI, and both of our processes', () => {
    expect(Object.keys(compose.services)).toEqual(
      expect.arrayContaining(['postgres', 'temporal', 'temporal-ui', 'migrate', 'api', 'worker']),
    );
    expect(named('api').command).toEqual(['api']);
    expect(named('worker').command).toEqual(['worker']);
  });

  it('uses images at a version, and none of the deprecated auto-setup', () => {
    for (const [, { image, build }] of services) {
      if (build === undefined) expect(image).toMatch(/^[\w/-]+:\d[\w.]*$/);
      expect(image).not.toContain('auto-setup');
    }
    expect(existsSync(join(ROOT, 'Dockerfile'))).toBe(true);
  });

  it('bounds the log of every container', () => {
    for (const [name, { logging }] of services)
      expect([name, logging]).toEqual([
        name,
        { driver: 'json-file', options: { 'max-size': '50m', 'max-file': '3' } },
      ]);
  });

  it('waits for services that exist, in a way that they can satisfy', () => {
    for (const [, service] of services) {
      for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
        const other = named(name);
        // Our image brings its own: test/install/image.slow.test.ts runs it.
        if (condition === 'service_healthy') expect(other.healthcheck ?? other.build).toBeDefined();
        else
          expect([condition, other.restart]).toEqual([
            'service_completed_successfully',
            expect.stringMatching(/^on-failure/),
          ]);
      }
    }
  });

  it('lets Postgres accept the connections of all processes, twice over for ours', () => {
    const [, , setting = ''] = named('postgres').command ?? [];
    const most = Number(/^max_connections=(\d+)$/.exec(setting)?.[1]);
    const { SQL_MAX_CONNS: main, SQL_VIS_MAX_CONNS: lists } = named('temporal').environment ?? {};
    // Frontend, history, matching and worker open pools of their own.
    const temporal = 4 * (Number(main) + Number(lists));
    const ours = readConfig({}).DATABASE_POOL_SIZE;
    const { main: requests, assistant } = apiConnections(ours);
    expect(requests + assistant).toBe(ours);
    const [api, worker, commands, reserved] = [ours, ours, 10, 3];
    expect(temporal + 2 * (api + worker) + commands + reserved).toBeLessThanOrEqual(most);
  });

  it('publishes ports on loopback only, and holds no password', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    const secrets = services
      .flatMap(([, service]) => Object.entries(service.environment ?? {}))
      .filter(([name]) => /PASSWORD|PWD|TOKEN|KEY/.test(name));
    expect(secrets.length).toBeGreaterThan(0);
    for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:[?-][^}]*\}$/);
  });

  it('lets Temporal ask nobody for newer versions', () => {
    const environment = named('temporal').environment ?? {};
    expect(environment['TEMPORAL_VERSION_CHECK_DISABLED']).toBe('true');
  });

  it('keeps the data of Postgres and of the local repository host in named volumes', () => {
    expect(Object.keys(compose.volumes)).toEqual(['postgres', 'docent']);
    expect(named('postgres').volumes).toEqual(['postgres:/var/lib/postgresql/data']);
    expect(named('api').volumes).toEqual(['docent:/var/lib/docent']);
  });

  it('creates the search attributes that jobs set', () => {
    const [, list] = /for name in (.*); do/.exec(String(named('temporal-namespace').command)) ?? [];
    expect(list?.split(' ')).toEqual(Object.values(SEARCH_ATTRIBUTES));
  });
});

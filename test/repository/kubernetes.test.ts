import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { ConfigSchema } from '../../shared/config.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'ops', 'kubernetes');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<
    string,
    { image: string; command: string[]; environment: Record<string, string> }
  >;
};

interface Container {
  image: string;
  command?: string[];
  args: string[];
  env?: { name: string; value: string }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string }[];
}
interface Probe {
  httpGet: { path: string; port: string };
}
interface Resource {
  kind: string;
  metadata: { name: string; namespace?: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: {
    replicas?: number;
    selector: { matchLabels: Record<string, string> } & Record<string, unknown>;
    scaleTargetRef?: { name: string };
    metrics?: { external?: { metric: { name: string } } }[];
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        terminationGracePeriodSeconds: number;
        initContainers?: Container[];
        containers: Container[];
        volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[];
      };
    };
    rules?: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[];
  };
}

const FILES = readdirSync(FOLDER).filter(name => name !== 'kustomization.yaml');
const resources = FILES.flatMap(name =>
  parseAllDocuments(read(name)).map(document => document.toJS() as Resource),
);
const of = (kind: string) => resources.filter(each => each.kind === kind);
const named = (kind: string, name: string) =>
  of(kind).find(({ metadata }) => metadata.name === name) as Resource;
const deployments = of('Deployment');
const [settings, secret] = [
  named('ConfigMap', 'docent-settings'),
  named('Secret', 'docent-secrets'),
];

// test/ops/kubernetes.slow.test.ts asks a schema validator.
describe('ops/kubernetes', () => {
  it('applies all of its files but the secret, in one namespace', () => {
    const { resources: applied, namespace } = parse(read('kustomization.yaml')) as {
      resources: string[];
      namespace: string;
    };
    expect([...applied, 'secret.example.yaml'].sort()).toEqual([...FILES].sort());
    for (const { kind, metadata } of resources)
      expect(kind === 'Namespace' ? metadata.name : metadata.namespace).toBe(namespace);
  });

  it('runs the image and the commands of docker-compose.yml', () => {
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(['docent-api', 'docent-repository-host', 'docent-worker']),
    );
    for (const { spec } of deployments) {
      const { initContainers = [], containers } = spec.template.spec;
      for (const each of [...initContainers, ...containers]) {
        const service = compose.services[each.args[0] as string];
        expect([each.image, each.args, each.command]).toEqual([
          service?.image,
          service?.command,
          undefined,
        ]);
      }
    }
  });

  it('sets nothing that Docent does not know, and all that compose sets itself', () => {
    const all = deployments.flatMap(({ spec }) =>
      spec.template.spec.containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
    );
    const [, image = ''] = /^ENV (.*)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
    const ofImage = image.split(' ').map(pair => pair.replace(/=.*/, ''));
    const given = [...Object.keys({ ...settings.data, ...secret.stringData }), ...all];
    expect(Object.keys(ConfigSchema.properties)).toEqual(expect.arrayContaining(given));
    const always = (service: string) =>
      Object.entries(compose.services[service]?.environment ?? {}).map(([name]) => name);
    expect([...given, ...ofImage]).toEqual(
      expect.arrayContaining([...always('api'), ...always('worker')]),
    );
    for (const value of Object.values(secret.stringData ?? {})) expect(value).toBe('');
  });

  it('probes what the processes serve, and stops processes as patiently as compose', () => {
    for (const { spec } of deployments) {
      const [container] = spec.template.spec.containers as [Container];
      const { startupProbe, livenessProbe, readinessProbe, ports, env } = container;
      expect(startupProbe?.httpGet.path).toBe('/healthz');
      expect(livenessProbe?.httpGet.path).toBe('/healthz');
      expect(readinessProbe?.httpGet.path).toBe('/readyz');
      const port = ports?.find(({ name }) => name === readinessProbe?.httpGet.port)?.containerPort;
      const health = env?.find(({ name }) => name === 'WORKER_HEALTH_PORT')?.value;
      expect(port).toBe(container.args[0] === 'worker' ? Number(health) : 3000);
      expect(ports?.find(({ name }) => name === 'metrics')?.containerPort).toBe(
        Number(settings.data?.['METRICS_PORT']),
      );
    }
    for (const name of ['api', 'worker'])
      expect(
        `${named('Deployment', `docent-${name}`).spec.template.spec.terminationGracePeriodSeconds}s`,
      ).toBe((compose.services[name] as { stop_grace_period?: string }).stop_grace_period);
  });

  it('writes only where a volume is, as nobody with rights', () => {
    for (const { spec } of deployments) {
      const { initContainers = [], containers, volumes } = spec.template.spec;
      for (const { securityContext, volumeMounts } of [...initContainers, ...containers]) {
        expect(securityContext).toMatchObject({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
        });
        expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain('/var/lib/docent');
        expect(volumes.map(({ name }) => name)).toEqual(volumeMounts.map(({ name }) => name));
      }
    }
  });

  it('gives one process the files of the built-in host, and sends its addresses there', () => {
    const host = named('Deployment', 'docent-repository-host');
    expect(host.spec.replicas).toBe(1);
    const claims = deployments.flatMap(({ spec }) =>
      spec.template.spec.volumes.flatMap(({ persistentVolumeClaim: claim }) => claim ?? []),
    );
    expect(claims).toEqual([
      { claimName: named('PersistentVolumeClaim', 'docent-repositories').metadata.name },
    ]);
    const { hostname } = new URL(settings.data?.['LOCAL_HOST_URL'] as string);
    const service = named('Service', hostname) as unknown as {
      spec: { selector: Record<string, string> };
    };
    expect(host.spec.template.metadata.labels).toMatchObject(service.spec.selector);
    const paths = named('Ingress', 'docent').spec.rules?.[0]?.http.paths ?? [];
    const to = (path: string) => paths.find(each => each.path === path)?.backend.service.name;
    expect([to('/git/'), to('/pulls/'), to('/')]).toEqual([hostname, hostname, 'docent-api']);
  });

  it('scales workers by a metric that Docent exports', () => {
    const scaled = of('HorizontalPodAutoscaler');
    for (const { spec } of scaled)
      expect(deployments.map(({ metadata }) => metadata.name)).toContain(spec.scaleTargetRef?.name);
    const metrics = scaled.flatMap(({ spec }) =>
      (spec.metrics ?? []).flatMap(({ external }) => external?.metric.name ?? []),
    );
    expect(metrics.length).toBeGreaterThan(0);
    const exported = readFileSync(join(ROOT, 'cli', 'stack', 'state-gauges.ts'), 'utf8');
    for (const name of metrics) expect(exported).toContain(`name: '${name}'`);
  });

  it('selects the pods that exist', () => {
    const labels = deployments.map(({ spec }) => spec.template.metadata.labels);
    for (const { spec } of [...of('PodDisruptionBudget'), ...deployments])
      expect(labels).toContainEqual(expect.objectContaining(spec.selector.matchLabels));
  });
});

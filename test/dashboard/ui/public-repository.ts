import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDocent } from '../../support/docent.ts';
import type { Ui } from './harness.ts';

/** Reserved for documentation: nobody's, and public as far as anybody can tell. */
const PUBLIC_ADDRESS = 'https://203.0.113.9/';

export interface PublicRepository {
  /** What to type into the form. */
  address: string;
  /** A dashboard of the same installation, whose git reaches that address. */
  dashboard: string;
  close(): Promise<void>;
}

/**
 * The stack's repository at a public https address, and a process of the API in whose world that
 * address leads to a server here.
 */
export async function servePublicRepository(ui: Ui): Promise<PublicRepository> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-public-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-subj',
      '/CN=docs',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'pipe' },
  );
  ui.git('update-server-info'); // git's oldest protocol: files
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (request, response) => {
      const path = new URL(request.url ?? '', PUBLIC_ADDRESS).pathname.replace(
        '/acme/docs.git/',
        '',
      );
      createReadStream(join(ui.repository, path))
        .on('error', () => {
          response.writeHead(404).end();
        })
        .pipe(response);
    },
  );
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const here = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { DATABASE_URL, TEMPORAL_ADDRESS, TASK_QUEUE, LOCAL_HOST_TOKEN, DATA_DIR } = ui.config;
  const settings = [
    ['insteadOf', `url.${here}`, PUBLIC_ADDRESS],
    ['sslVerify', `http.${here}`, 'false'],
  ] as const;
  const port = await freePort();
  const api = startDocent(DATA_DIR, ['api'], {
    PORT: String(port),
    DATABASE_URL: DATABASE_URL ?? '',
    TEMPORAL_ADDRESS: TEMPORAL_ADDRESS ?? '',
    TASK_QUEUE,
    LOCAL_HOST_TOKEN: LOCAL_HOST_TOKEN ?? '',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([name, of, value], i) => [
        [`GIT_CONFIG_KEY_${i}`, `${of}.${name}`],
        [`GIT_CONFIG_VALUE_${i}`, value],
      ]),
    ),
  });
  await api.prints(/listening at/);
  return {
    address: `${PUBLIC_ADDRESS}acme/docs.git`,
    dashboard: `http://127.0.0.1:${port}`,
    async close() {
      api.process.kill('SIGTERM');
      await api.ended;
      await new Promise(resolve => {
        server.close(resolve);
        server.closeAllConnections();
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => {
    server.close(resolve);
  });
  return port;
}

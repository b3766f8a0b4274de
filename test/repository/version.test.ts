import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../shared/version.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', name), 'utf8');
const parsed = (name: string) => JSON.parse(read(name)) as unknown;

// `docent --version` is compared with package.json in test/cli/built.test.ts, and docs/openapi.json
// with what the API answers in test/api/openapi.test.ts.
it('names one version in the packages, the API document and the image', () => {
  expect(VERSION).toMatch(/^\d+\.\d+\.\d+$/);
  const workspace = { version: VERSION };
  for (const name of ['clients/typescript', 'offline-model', 'sites'])
    expect(parsed(`${name}/package.json`)).toMatchObject(workspace);
  expect(parsed('package-lock.json')).toMatchObject({
    ...workspace,
    packages: { '': workspace, 'offline-model': workspace },
  });
  expect(parsed('docs/openapi.json')).toMatchObject({ info: workspace });
  expect(read('Dockerfile')).toContain(`org.opencontainers.image.version=${VERSION}\n`);
});

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDER = join(import.meta.dirname, '..', '..', 'ops', 'kubernetes');
/** It brings the schemas of Kubernetes 1.37. */
const VALIDATOR = 'kubernetes-validate==1.37.0';

describe('ops/kubernetes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-kubernetes-'));
  const validate = async (...files: string[]) =>
    await run(join(folder, 'bin', 'kubernetes-validate'), ['--strict', ...files]);

  beforeAll(() => {
    execFileSync('python3', ['-m', 'venv', folder]);
    const quietly = ['install', '--quiet', '--disable-pip-version-check'];
    execFileSync(join(folder, 'bin', 'pip'), [...quietly, VALIDATOR]);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is what the schemas of Kubernetes say, without an unknown field', async () => {
    const files = readdirSync(FOLDER)
      .filter(name => name !== 'kustomization.yaml')
      .map(name => join(FOLDER, name));
    const { stdout, stderr } = await validate(...files);
    expect(`${stdout}${stderr}`).toMatch(/deployment\/docent-worker/);
    const wrong = join(folder, 'wrong.yaml');
    writeFileSync(
      wrong,
      readFileSync(join(FOLDER, 'worker.yaml'), 'utf8').replace('envFrom:', 'envForm:'),
    );
    await expect(validate(wrong)).rejects.toMatchObject({
      stdout: expect.stringContaining('envForm'),
    });
  }, 120_000);
});

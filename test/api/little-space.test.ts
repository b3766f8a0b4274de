import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkServing } from '../../cli/doctor/serving.ts';
import { SmallDisk } from '../torture/small-disk.ts';
import { startApi } from './harness.ts';

const FULL = /^The disk of the data folder has \d+ MB left/;

it('a disk that is about to be full is shown before it is, and reads go on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-space-'));
  let disk: SmallDisk;
  try {
    disk = SmallDisk.mount(folder, 50);
  } catch {
    console.warn('Left out: a small file system cannot be mounted here.');
    return;
  }
  const api = await startApi({ DATA_DIR: folder });
  try {
    const forJobs = await api.app.inject('/readyz?for=jobs');
    expect([forJobs.statusCode, forJobs.headers['retry-after']]).toEqual([503, expect.any(String)]);
    expect(forJobs.body).toContain('MB left');
    expect((await api.app.inject('/readyz')).statusCode).toBe(200);
    const found = await checkServing({ DATA_DIR: folder } as typeof api.config);
    expect(found).toMatchObject([{ name: 'disk', says: expect.stringMatching(FULL) }]);
  } finally {
    await api.close();
    disk.unmount();
    rmSync(folder, { recursive: true, force: true });
  }
});

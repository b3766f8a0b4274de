import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFile } from '../../bin/built.mjs';

const ROOT = join(import.meta.dirname, '../..');

/**
 * The path of the workflow bundle: the one of `npm run build` if it is current, else one in
 * `cacheFolder`, which is built once per state of the sources, because building takes seconds.
 */
export async function workflowBundle(cacheFolder: string): Promise<string> {
  const built = builtFile('workflows.js');
  if (built) return built;
  const path = join(cacheFolder, `workflows-${await hashOfSources()}.js`);
  if (
    await access(path).then(
      () => true,
      () => false,
    )
  )
    return path;
  const { bundleWorkflows } = await import('./bundle-workflows.ts'); // webpack is slow to load
  const code = await bundleWorkflows();
  await mkdir(cacheFolder, { recursive: true });
  const half = `${path}.${process.pid}`;
  await writeFile(half, code);
  await rename(half, path); // complete or not at all
  return path;
}

/** Workflows may import nothing of ours but `shared/`; the SDK's part follows its version. */
async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of ['workflows', 'shared']) {
    const names = await readdir(join(ROOT, folder), { recursive: true });
    for (const name of names.filter(each => each.endsWith('.ts')).sort()) {
      hash
        .update(`${folder}/${name}\0`)
        .update(await readFile(join(ROOT, folder, name)))
        .update('\0');
    }
  }
  hash.update(
    await readFile(fileURLToPath(import.meta.resolve('@temporalio/workflow/package.json'))),
  );
  return hash.digest('hex').slice(0, 16);
}

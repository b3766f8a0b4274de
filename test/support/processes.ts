import { readdirSync, readlinkSync } from 'node:fs';
import { isProcess } from '../../cli/embedded/process.ts';

/** The processes whose command line names the folder, or which work in it. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0 && (isProcess(pid, folder) || workingFolder(pid).startsWith(folder)));
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return ''; // it has ended, or is somebody else's
  }
}

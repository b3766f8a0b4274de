import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isProcess } from '../../cli/embedded/process.ts';

/** The processes whose command line or `DATA_DIR` names the folder, or which work in it. */
export function processesOf(folder: string): number[] {
  return everyProcess().filter(
    pid =>
      isProcess(pid, folder) ||
      workingFolder(pid).startsWith(folder) ||
      environmentOf(pid)['DATA_DIR']?.startsWith(folder),
  );
}

/** The processes that it has started and that run. */
export function childrenOf(parent: number): number[] {
  return everyProcess().filter(pid => {
    const [state, ppid] = statusOf(pid);
    return Number(ppid) === parent && state !== 'Z';
  });
}

/** Whether it runs; one that has ended and that nobody has asked for does not. */
export function runs(pid: number): boolean {
  const [state] = statusOf(pid);
  return state !== undefined && state !== 'Z';
}

/** What it was started with; empty once it has ended. */
export function argumentsOf(pid: number): string[] {
  return contentOf(pid, 'cmdline').split('\0').slice(0, -1);
}

export function environmentOf(pid: number): NodeJS.Dict<string> {
  const variables = contentOf(pid, 'environ').split('\0').filter(Boolean);
  return Object.fromEntries(variables.map(each => each.split(/=(.*)/s, 2)));
}

function everyProcess(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0);
}

/** State and parent. */
function statusOf(pid: number): string[] {
  const stat = contentOf(pid, 'stat');
  // The program's name, in brackets, may contain anything.
  return stat ? stat.slice(stat.lastIndexOf(')') + 2).split(' ') : [];
}

function contentOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // it has ended, or is somebody else's
  }
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return ''; // it has ended, or is somebody else's
  }
}

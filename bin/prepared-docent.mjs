// `npm start` and `npm run demo`: sees to what is needed, then becomes Docent in the same process.
// npm ends with its child, so what outlives that would outlive `npm start`.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
// A group of its own: a signal to it reaches an installation and a compiler, too.
const setup = spawn(process.execPath, [join(import.meta.dirname, '..', 'setup.mjs'), '--build'], {
  stdio: 'inherit',
  detached: true,
});
let stopped;
const stop = signal => {
  stopped ??= signal;
  send(signal);
};
for (const signal of SIGNALS) process.on(signal, stop);
const code = await new Promise(resolve => setup.once('exit', status => resolve(status ?? 1)));
if (stopped) {
  while (send(0)) await delay(50);
  process.exit(128 + constants.signals[stopped]);
}
for (const signal of SIGNALS) process.off(signal, stop);
if (code !== 0) process.exit(code);
await import('./docent.mjs');

/** False once the whole group has ended. */
function send(signal) {
  try {
    return process.kill(-Number(setup.pid), signal);
  } catch {
    return false;
  }
}

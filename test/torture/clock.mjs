// Loaded before the processes of the torture: their clocks are wrong by as many milliseconds as a file
// says, from one moment to the next. Timers go on, as they do when a machine's clock is set.
import { readFileSync } from 'node:fs';

const RealDate = Date;
const realNow = Date.now;
const LOOK_EACH_MS = 200;
let wrongBy = 0;

setInterval(() => {
  try {
    wrongBy = Number(readFileSync(process.env.TORTURE_CLOCK, 'utf8'));
  } catch {
    wrongBy = 0;
  }
}, LOOK_EACH_MS).unref();

const now = () => realNow() + wrongBy;
RealDate.now = now;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
  apply: () => new RealDate(now()).toString(),
});

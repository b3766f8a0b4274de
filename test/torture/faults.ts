import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '../jobs/random/dice.ts';
import type { Installation, Link } from './installation.ts';
import type { NetworkFault } from './proxy.ts';

export const FAULTS = [
  'kill',
  'freeze',
  'term',
  'network',
  'power',
  'services',
  'clock',
  'disk',
  'model',
  'github',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultDone {
  at: number;
  what: string;
}

/** What a fault was, without which process and how long: `kill worker`, `cut before host`. */
export function kindOf(what: string): string {
  return what.replace(/-\d.*| for .*| wrong .*/, '');
}

const NETWORK: Record<NetworkFault, number> = {
  cut: 3,
  delay: 2,
  'half-open': 2,
  'lost answer': 3,
  refuse: 2,
  swallow: 2,
  'swallow new': 1,
  halve: 2,
};
const LINKS: Record<Link, number> = {
  ...{ postgres: 2, 'postgres of workers': 2, temporal: 2, 'temporal of workers': 3 },
  ...{ host: 3, model: 2 },
};

const JUMPS_MS = [-3_600_000, -90_000, 90_000, 3_600_000];
/** The least time from one fault to the next. */
const PAUSE_MS = 2_000;
/**
 * Where nothing but power cuts is asked for: an activity that one has met is retried when its
 * heartbeat is overdue, ten seconds after everything has started again.
 */
const PAUSE_OF_POWER_MS = 25_000;

/** One fault after the other until `end`, each of the kinds given; says what it did. */
export async function inflict(
  installation: Installation,
  dice: Dice,
  kinds: readonly Fault[],
  end: number,
  done: (fault: FaultDone) => void,
): Promise<void> {
  // The model's faults are in its script.
  const weights = {
    ...{ kill: 5, freeze: 3, term: 3, network: 5, github: 12 },
    ...{ power: 1, disk: 3, services: 3, clock: 1 },
  };
  const chosen = Object.fromEntries(
    Object.entries(weights).filter(([kind]) => kinds.includes(kind as Fault)),
  ) as typeof weights;
  if (Object.keys(installation.disks).length === 0) delete (chosen as Partial<typeof weights>).disk;
  const onlyPower = Object.keys(chosen).join() === 'power';
  const pause = onlyPower ? PAUSE_OF_POWER_MS : PAUSE_MS;
  while (Object.keys(chosen).length > 0) {
    await delay(pause + dice.below(6_000));
    if (Date.now() >= end) return;
    const kind = dice.pick(chosen);
    const at = Date.now();
    done({ at, what: await once(installation, dice, kind) });
  }
}

async function once(
  installation: Installation,
  dice: Dice,
  kind: Exclude<Fault, 'model'>,
): Promise<string> {
  const roles = [...installation.apis, ...installation.workers];
  const role = roles[dice.below(roles.length)]!;
  switch (kind) {
    case 'kill':
      role.kill();
      return `kill ${role.name}`;
    case 'term':
      role.terminate();
      return `SIGTERM ${role.name}`;
    case 'freeze': {
      const ms = 2_000 + dice.below(10_000);
      await role.freeze(ms);
      return `freeze ${role.name} for ${ms} ms`;
    }
    case 'network': {
      const where = dice.pick(LINKS);
      const how = dice.pick(NETWORK);
      const ms = 1_000 + dice.below(7_000);
      await installation.proxies[where].suffer(how, ms);
      return `${how} before ${where} for ${ms} ms`;
    }
    case 'services': {
      const { each } = installation.services;
      const service = each[dice.below(each.length)]!;
      if (dice.below(2)) {
        await service.kill();
        return `kill ${service.name}`;
      }
      const ms = 2_000 + dice.below(10_000);
      await service.freeze(ms);
      return `freeze ${service.name} for ${ms} ms`;
    }
    case 'clock': {
      const by = JUMPS_MS[dice.below(JUMPS_MS.length)]!;
      const ms = 5_000 + dice.below(20_000);
      await role.jump(by, ms);
      return `clock of ${role.name} wrong by ${by / 60_000} minutes for ${ms} ms`;
    }
    case 'github':
      return `github: ${await installation.onGitHub!.fault(dice)}`;
    case 'disk': {
      const ms = 2_000 + dice.below(8_000);
      const disks = Object.keys(installation.disks);
      const whose = disks[dice.below(disks.length)]!;
      await installation.disks[whose]!.fill(ms);
      return `full disk of ${whose} for ${ms} ms`;
    }
    case 'power':
      await installation.powerCut();
      return 'power cut';
  }
}

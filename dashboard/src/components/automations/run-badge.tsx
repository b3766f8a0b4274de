import type { AutomationRun } from '../../../../api/dashboard/contract/automations.ts';
import { Badge, type Tone } from '../feedback/badge.tsx';

const OUTCOMES: Record<NonNullable<AutomationRun['outcome']>, [name: string, tone: Tone]> = {
  published: ['Pull request', 'good'],
  unchanged: ['No change', 'plain'],
  answered: ['No change', 'plain'],
  declined: ['Refused by the policy', 'warn'],
  cancelled: ['Cancelled', 'plain'],
  failed: ['Failed', 'bad'],
  no_action: ['No action needed', 'plain'],
  held_back: ['Held back', 'warn'],
};

/** How a run ended, or where it stands. */
export function RunBadge({ run }: { run: Pick<AutomationRun, 'state' | 'outcome'> }) {
  if (run.outcome !== null) {
    const [name, tone] = OUTCOMES[run.outcome];
    return <Badge tone={tone}>{name}</Badge>;
  }
  if (run.state === 'held_back') return <Badge tone="warn">Held back</Badge>;
  return <Badge tone="accent">{run.state === 'running' ? 'Running' : 'Waiting'}</Badge>;
}

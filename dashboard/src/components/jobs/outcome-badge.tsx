import type { Outcome } from '../../../../api/dashboard/contract/jobs.ts';
import type { TurnEnd } from '../../data/jobs/timeline.ts';
import type { WaitingFor } from '../../../../shared/jobs/waiting.ts';
import { Badge, type Tone } from '../feedback/badge.tsx';
import { plural } from '../text/format.tsx';
import { Icon, type IconName } from '../text/icons.tsx';

/** Each its own word, colour and icon: the colour is never the only difference. */
export const OUTCOME_LOOKS: Record<
  Outcome | TurnEnd,
  { word: string; tone: Tone; icon: IconName | null }
> = {
  active: { word: 'active', tone: 'accent', icon: null },
  open: { word: 'open', tone: 'good', icon: 'pulls' },
  published: { word: 'published', tone: 'good', icon: 'pulls' },
  taken_back: { word: 'taken back', tone: 'plain', icon: 'rewind' },
  merged: { word: 'merged', tone: 'merged', icon: 'merge' },
  closed: { word: 'closed', tone: 'closed', icon: 'cross' },
  unchanged: { word: 'unchanged', tone: 'plain', icon: 'dash' },
  answered: { word: 'answered', tone: 'warn', icon: 'questions' },
  declined: { word: 'declined', tone: 'warn', icon: 'cross' },
  planned: { word: 'needs approval', tone: 'warn', icon: 'user' },
  approved: { word: 'approved', tone: 'good', icon: 'check' },
  not_approved: { word: 'not approved', tone: 'warn', icon: 'cross' },
  replaced: { word: 'replaced', tone: 'plain', icon: 'dash' },
  lapsed: { word: 'nobody approved it', tone: 'warn', icon: 'cross' },
  unpublished: { word: 'unpublished', tone: 'plain', icon: 'dash' },
  cancelled: { word: 'cancelled', tone: 'line', icon: 'stop' },
  failed: { word: 'failed', tone: 'bad', icon: 'warning' },
};

const WAITING_WORDS: Record<WaitingFor, string> = {
  approval: 'needs approval',
  answer: 'asks',
  budget: 'over budget',
};

/** Where a job stands, or how one of its turns ended. */
export function OutcomeBadge({
  outcome,
  waitingFor = null,
  problems = 0,
  archived = false,
}: {
  outcome: Outcome | TurnEnd;
  /** Of an idle job: shown in place of how its last turn ended. */
  waitingFor?: WaitingFor | null;
  /** That the checks left in what it published. */
  problems?: number;
  archived?: boolean;
}) {
  const { word, tone, icon } = waitingFor
    ? { word: WAITING_WORDS[waitingFor], tone: 'warn' as const, icon: 'user' as const }
    : OUTCOME_LOOKS[outcome];
  return (
    <span className="row">
      <Badge tone={tone}>
        {icon === null ? <span className="dot dot-live" /> : <Icon name={icon} size={14} />}
        {word}
      </Badge>
      {problems > 0 && (
        <Badge tone="warn">
          <Icon name="warning" size={14} />
          {plural(problems, 'problem')}
        </Badge>
      )}
      {archived && <Badge>archived</Badge>}
    </span>
  );
}

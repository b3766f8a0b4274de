import type { NumberedEvent } from '../../data/jobs/job-events.ts';
import { useSend } from '../../data/queries.ts';
import type { StepStart } from '../../data/jobs/steps.ts';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';
import { plural } from '../text/format.tsx';

interface Props {
  jobPath: { projectId: string; id: string };
  start: StepStart;
  /** The events that no rewind has undone. */
  events: readonly NumberedEvent[];
  /** Instructions that no turn has started on. */
  waiting: readonly string[];
}

/** Rewinds a job to a step, after it shows what that undoes. */
export function RewindButton({ jobPath, start: { turn, step, seq }, events, waiting }: Props) {
  const rewind = useSend('POST /projects/:projectId/jobs/:id/rewind');
  return (
    <ConfirmButton
      icon="rewind"
      small
      danger={false}
      label="Continue from here"
      about={`(step ${step} of turn ${turn})`}
      title={`Continue from step ${step} of turn ${turn}?`}
      verb="Continue from here"
      action={() => rewind.mutateAsync({ params: jobPath, body: { turn, step } })}
    >
      <LeftOut events={events.filter(each => each.seq >= seq)} waiting={waiting} />
    </ConfirmButton>
  );
}

function LeftOut({
  events,
  waiting,
}: {
  events: readonly NumberedEvent[];
  waiting: readonly string[];
}) {
  const steps = new Set(
    events.flatMap(({ event }) =>
      event.type === 'text' || event.type === 'tool_call' ? [`${event.turn} ${event.step}`] : [],
    ),
  ).size;
  const prompts = [
    ...events.flatMap(({ event }) => (event.type === 'instruction' ? [event.prompt] : [])),
    ...waiting,
  ];
  const commits = events.filter(({ event }) => event.type === 'commit').length;
  return (
    <div className="stack-tight">
      <p>The agent repeats this step and continues from there. It forgets:</p>
      <ul className="bullets">
        <li>{plural(steps, 'step')} with messages and changes</li>
        {prompts.map((prompt, i) => (
          <li key={i}>
            the follow-up “{prompt.length > 120 ? `${prompt.slice(0, 119)}…` : prompt}”
          </li>
        ))}
      </ul>
      {commits > 0 && (
        <p>
          {commits === 1 ? '1 commit was' : `${commits} commits were`} pushed since. The branch
          keeps {commits === 1 ? 'it' : 'them'}, and the next commit reverts the changes.
        </p>
      )}
      <p>The cost so far still counts.</p>
    </div>
  );
}

import type { JobDetail } from '../../../../shared/dashboard/jobs.ts';
import { buttonClass } from '../controls/button.tsx';
import { Copyable, Snippet } from '../controls/copy.tsx';
import { Icon } from '../text/icons.tsx';

/** For whoever runs Docent: the job is a Temporal workflow, and this is how to reach it. */
export function TemporalWorkflow({ operator }: { operator: NonNullable<JobDetail['operator']> }) {
  return (
    <div className="stack">
      <div className="card card-pad section">
        <h2>Temporal workflow</h2>
        <p className="soft">
          Every step of this job is in its workflow’s history. What the buttons here do, a signal
          does as well.
        </p>
        <div className="row">
          <Copyable text={operator.workflowId} what="workflow id" />
          {operator.historyUrl && (
            <a href={operator.historyUrl} className={buttonClass()} target="_blank" rel="noopener">
              Open its history <Icon name="external" size={14} />
            </a>
          )}
        </div>
      </div>
      <section className="card card-pad stack" aria-labelledby="commands">
        <h2 id="commands">The same on the command line</h2>
        {operator.commands.map(({ label, command }) => (
          <div key={label} className="stack-tight">
            <h3>{label}</h3>
            <Snippet text={command} what={label} />
          </div>
        ))}
      </section>
    </div>
  );
}

import type { JobDetail } from '../../../../api/dashboard/contract/jobs.ts';
import { buttonClass } from '../controls/button.tsx';
import { Copyable, Snippet } from '../controls/copy.tsx';
import { Icon } from '../text/icons.tsx';

/** For operators: the job's Temporal workflow and the commands for it. */
export function TemporalWorkflow({ operator }: { operator: NonNullable<JobDetail['operator']> }) {
  return (
    <div className="stack">
      <div className="card card-pad section">
        <h2>Temporal workflow</h2>
        <p className="soft">
          The workflow’s history contains every step of this job. Each button here also has a
          signal.
        </p>
        <div className="row">
          <Copyable text={operator.workflowId} what="workflow ID" />
          {operator.historyUrl && (
            <a href={operator.historyUrl} className={buttonClass()} target="_blank" rel="noopener">
              Open history <Icon name="external" size={14} />
            </a>
          )}
        </div>
      </div>
      <section className="card card-pad stack" aria-labelledby="commands">
        <h2 id="commands">On the command line</h2>
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

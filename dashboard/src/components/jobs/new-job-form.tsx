import { useNavigate } from '@tanstack/react-router';
import type { FormValues } from '../../data/form-values.ts';
import { useProject, useSession } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { effortIn } from './efforts.ts';
import { TextBox } from '../forms/text-box.tsx';
import { EffortOptions } from './effort-options.tsx';

/** Starts a job and opens its page. */
export function NewJobForm() {
  const { project, params } = useProject();
  const { offlineModel, modelVerdict, effortModels } = useSession();
  const navigate = useNavigate();
  const create = useSend('POST /projects/:projectId/jobs');
  const start = async (prompt: string, values: FormValues, uploads: string[]) => {
    const branch = values.text('branch');
    const effort = effortIn(values.text('effort'));
    const budget = values.text('budget');
    const job = await create.mutateAsync({
      params: { projectId: project.id },
      body: {
        prompt,
        asDraft: values.checked('asDraft'),
        ...(uploads.length > 0 && { uploads }),
        ...(branch && { branch }),
        ...(values.text('model') === 'opus' && { model: 'opus' }),
        ...(effort && { effort }),
        ...(values.checked('requirePlanApproval') && { requirePlanApproval: true }),
        ...(budget && { budget: Number(budget) }),
      },
    });
    await navigate({
      to: '/$organization/$domain/jobs/$jobId',
      params: { ...params, jobId: job.id },
    });
  };
  return (
    <TextBox
      draft={`job ${project.id}`}
      label="Instruction for the agent"
      submit="Start job"
      busy={create.isPending}
      error={create.error}
      onSubmit={start}
      imagesOf={{ projectId: project.id }}
      placeholder={
        offlineModel
          ? 'Add a page docs/operate/tips.md titled "Tips" with the text "Start small."'
          : 'Tell the agent what to change in the docs …'
      }
    >
      <Options offlineModel={offlineModel} hasEffort={effortModels.length > 0} />
      <span className="small faint">{modelVerdict}</span>
    </TextBox>
  );
}

function Options({ offlineModel, hasEffort }: { offlineModel: boolean; hasEffort: boolean }) {
  return (
    <details className="options">
      <summary>Options</summary>
      <div className="options-body">
        <label className="row">
          Branch{' '}
          <input
            className="input"
            name="branch"
            placeholder="generated from the instruction"
            maxLength={200}
          />
        </label>
        {!offlineModel && (
          <label className="row">
            Model{' '}
            <select className="input" name="model">
              <option value="">default</option>
              <option value="opus">opus</option>
            </select>
          </label>
        )}
        {hasEffort && (
          <label className="row">
            Effort{' '}
            <select className="input" name="effort" title="How much the model may think.">
              <EffortOptions unset="the project’s" />
            </select>
          </label>
        )}
        <BrakeOptions />
        <label className="row">
          <input type="checkbox" name="asDraft" /> Open the pull request as a draft
        </label>
      </div>
    </details>
  );
}

/** What stops a job until a person decides. */
function BrakeOptions() {
  return (
    <>
      <label className="row">
        Budget in US dollars{' '}
        <input
          className="input"
          name="budget"
          type="number"
          min="0.01"
          step="0.01"
          placeholder="the project’s"
          title="The job stops there and waits until the budget is raised."
        />
      </label>
      <label className="row">
        <input type="checkbox" name="requirePlanApproval" /> Wait for my approval of a plan
      </label>
    </>
  );
}

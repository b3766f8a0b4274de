import type { Project } from '../../../../api/dashboard/contract/projects/projects.ts';
import type { FormValues } from '../../data/form-values.ts';
import { CheckField, TextArea, TextField } from '../forms/form.tsx';

/** What stops jobs until a person decides. */
export function BrakeFields({ project }: { project: Project }) {
  return (
    <>
      <CheckField
        label="Plan first"
        name="requirePlanApproval"
        defaultChecked={project.requirePlanApproval}
        hint="Jobs make a plan and change nothing until a person approves it. A job can set its own."
      />
      <TextArea
        label="Allowed forms"
        name="allowedForms"
        defaultValue={project.allowedForms.join('\n')}
        rows={2}
        hint="What people allowed for the project although the policy refuses it, one form per line. Remove a line to refuse it again."
      />
      <TextField
        label="Budget of a job"
        name="budgetUsd"
        type="number"
        step="0.01"
        defaultValue={project.budgetUsd?.toString() ?? ''}
        placeholder="none"
        hint="US dollars for the model. A job that reaches it waits until it is raised."
      />
    </>
  );
}

export function brakesIn(values: FormValues) {
  const budget = values.text('budgetUsd');
  return {
    requirePlanApproval: values.checked('requirePlanApproval'),
    allowedForms: values
      .text('allowedForms')
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean),
    budgetUsd: budget === '' ? null : Number(budget),
  };
}

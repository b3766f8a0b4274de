import type { ReactNode } from 'react';
import type { JobDetail } from '../../../../api/dashboard/contract/jobs.ts';
import type { Construct } from '../../../../shared/jobs/construct.ts';
import { may, useProject } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { Form, TextField } from '../forms/form.tsx';

type Waiting = NonNullable<JobDetail['waiting']>;
interface JobPath {
  projectId: string;
  id: string;
}
interface Props {
  waiting: Waiting;
  jobPath: JobPath;
}

/** What an idle job needs from a person, and the buttons; its plan is the outcome right above. */
export function WaitingCard({ waiting, jobPath }: Props) {
  switch (waiting.for) {
    case 'approval':
      return <ApprovalCard {...{ waiting, jobPath }} />;
    case 'answer':
      return <QuestionCard {...{ waiting, jobPath }} />;
    case 'budget':
      return <BudgetCard {...{ waiting, jobPath }} />;
  }
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card card-pad stack" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function ApprovalCard({ waiting: { turn, plan, constructs = [] }, jobPath }: Props) {
  const { organization } = useProject();
  const approve = useSend('POST /projects/:projectId/jobs/:id/approve');
  const decline = useSend('POST /projects/:projectId/jobs/:id/decline');
  const request = { params: jobPath, body: { turn } };
  const error = approve.error ?? decline.error;
  return (
    <Card title={plan ? 'Approve this plan?' : 'Allow what the policy refused?'}>
      {!plan && <ConstructList constructs={constructs} />}
      {error && <Notice tone="bad">{error.message}</Notice>}
      <div className="row">
        <Button look="primary" busy={approve.isPending} onClick={() => approve.mutate(request)}>
          {plan ? 'Approve' : 'Allow for this job'}
        </Button>
        {!plan && may(organization.role, 'owner') && (
          <Button
            busy={approve.isPending}
            onClick={() => approve.mutate({ params: jobPath, body: { turn, allow: 'project' } })}
          >
            Allow for the project
          </Button>
        )}
        <Button busy={decline.isPending} onClick={() => decline.mutate(request)}>
          Decline
        </Button>
        <span className="small faint">
          {plan ? 'To change the plan, send a follow-up.' : 'Or say what to write instead.'}
        </span>
      </div>
    </Card>
  );
}

function ConstructList({ constructs }: { constructs: readonly Construct[] }) {
  return (
    <ul className="bullets">
      {constructs.map(({ path, line, what, form, can }) => (
        <li key={form}>
          <code>
            {path}:{line}
          </code>{' '}
          {what}: <code>{form}</code>. {can}
        </li>
      ))}
    </ul>
  );
}

function QuestionCard({ waiting: { turn, options = [] }, jobPath }: Props) {
  const send = useSend('POST /projects/:projectId/jobs/:id/message');
  return (
    <Card title="The agent needs an answer">
      {send.error && <Notice tone="bad">{send.error.message}</Notice>}
      <div className="row">
        {options.map(option => (
          <Button
            key={option}
            busy={send.isPending && send.variables.body.prompt === option}
            onClick={() => send.mutate({ params: jobPath, body: { prompt: option, turn } })}
          >
            {option}
          </Button>
        ))}
        <span className="small faint">
          {options.length > 0 ? 'Or answer with a follow-up.' : 'Answer with a follow-up.'}
        </span>
      </div>
    </Card>
  );
}

function BudgetCard({ waiting: { budgetUsd = 0 }, jobPath }: Props) {
  const raise = useSend('PATCH /projects/:projectId/jobs/:id');
  return (
    <Card title="The budget is reached">
      <p>All edits are kept. The job continues by itself once its budget is raised.</p>
      <Form
        busy={raise.isPending}
        error={raise.error}
        submit="Raise and continue"
        onSubmit={values =>
          raise.mutate({ params: jobPath, body: { budget: Number(values.text('budget')) } })
        }
      >
        <TextField
          label="Budget in US dollars"
          name="budget"
          type="number"
          step="0.01"
          defaultValue={String(budgetUsd * 2)}
          required
        />
      </Form>
    </Card>
  );
}

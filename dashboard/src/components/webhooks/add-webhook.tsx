import type { NewWebhook } from '../../../../api/dashboard/contract/webhooks.ts';
import type { FormValues } from '../../data/form-values.ts';
import { useOrganization } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { Dialog } from '../dialogs/dialog.tsx';
import { CheckField, Form, SelectField, TextField } from '../forms/form.tsx';

type Event = NewWebhook['events'][number];

/** What people read for a type of event. */
const EVENTS: Record<Event, string> = {
  'job.completed': 'A job completed',
  'job.failed': 'A job failed',
  'job.waiting': 'A job waits for a person',
  'pull_request.opened': 'A pull request was opened',
  'pull_request.merged': 'A pull request was merged',
  'question.unanswered': 'Readers asked in vain (daily)',
  'automation.run': 'An automation ran',
};
const NAMES = Object.keys(EVENTS) as Event[];
const USUAL = new Set<Event>(['job.completed', 'job.failed', 'job.waiting']);

/** `onMade` gets the secret, which is shown once. */
export function AddWebhook({
  onMade,
  onClose,
}: {
  onMade: (secret: string) => void;
  onClose: () => void;
}) {
  const { slug: organization, projects } = useOrganization();
  const add = useSend('POST /organizations/:organization/webhooks', ({ secret }) => {
    onClose();
    onMade(secret);
  });
  return (
    <Dialog title="Add a webhook" onClose={onClose}>
      <Form
        busy={add.isPending}
        error={add.error}
        submit="Add webhook"
        onSubmit={values => add.mutate({ params: { organization }, body: newWebhook(values) })}
      >
        <TextField
          label="Address"
          name="url"
          type="url"
          required
          placeholder="https://hooks.example.com/docent"
        />
        <SelectField label="Project" name="projectId">
          <option value="">All projects</option>
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <EventFields />
      </Form>
    </Dialog>
  );
}

function newWebhook(values: FormValues): NewWebhook {
  const projectId = values.optional('projectId');
  const events = NAMES.filter(name => values.checked(name));
  return { url: values.text('url'), events, ...(projectId !== undefined && { projectId }) };
}

function EventFields() {
  return (
    <fieldset className="stack-tight">
      <legend>Events</legend>
      {NAMES.map(name => (
        <CheckField key={name} label={EVENTS[name]} name={name} defaultChecked={USUAL.has(name)} />
      ))}
    </fieldset>
  );
}

import { useState } from 'react';
import type { Key } from '../../../../shared/dashboard/projects.ts';
import type { FormValues } from '../../data/form-values.ts';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Snippet } from '../controls/copy.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Form, SelectField, TextArea, TextField } from '../forms/form.tsx';
import { agentSnippet, assistantSnippet } from './key-snippets.tsx';
import { Notice } from '../feedback/notice.tsx';

const LIFETIMES = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

export function CreateKey({
  projectId,
  domain,
  baseUrl,
  onClose,
}: {
  projectId: string;
  domain: string;
  baseUrl: string;
  onClose: () => void;
}) {
  const [kind, setKind] = useState<Key['kind']>('assistant');
  const create = useSend('POST /projects/:projectId/keys');
  const submit = (values: FormValues) => {
    const days = values.text('expiresInDays');
    create.mutate({
      params: { projectId },
      body: {
        kind,
        name: values.text('name'),
        allowedOrigins: values.list('allowedOrigins'),
        allowedAddresses: values.list('allowedAddresses'),
        ...(days && { expiresInDays: Number(days) }),
        ...(values.text('monthlyLimit') && { monthlyLimit: Number(values.text('monthlyLimit')) }),
      },
    });
  };
  if (create.data) {
    const { token, key } = create.data;
    return (
      <Made
        token={token}
        onClose={onClose}
        example={
          key.kind === 'admin'
            ? agentSnippet(baseUrl, projectId, token)
            : assistantSnippet(baseUrl, domain, token)
        }
      />
    );
  }
  return (
    <Dialog title="New API key" onClose={onClose}>
      <Form busy={create.isPending} error={create.error} submit="Create key" onSubmit={submit}>
        <SelectField
          label="Kind"
          name="kind"
          value={kind}
          onChange={event => setKind(event.target.value as Key['kind'])}
          hint={
            kind === 'admin'
              ? 'Secret. Starts jobs in every project of the organization.'
              : 'Public: meant to stand in a page. Asks the assistant of this site, nothing else.'
          }
        >
          <option value="assistant">Assistant</option>
          <option value="admin">Admin</option>
        </SelectField>
        <TextField
          label="Name"
          name="name"
          required
          placeholder={kind === 'admin' ? 'Release script' : 'Docs site'}
        />
        <SelectField label="Expires" name="expiresInDays">
          {LIFETIMES.map(([days, text]) => (
            <option key={days} value={days}>
              {text}
            </option>
          ))}
        </SelectField>
        {kind === 'assistant' && (
          <TextArea
            label="Allowed origins"
            name="allowedOrigins"
            rows={2}
            placeholder="https://docs.example.com"
            hint="One a line, also https://*.example.com. None: any site."
          />
        )}
        <TextArea
          label="Allowed addresses"
          name="allowedAddresses"
          rows={2}
          placeholder="10.0.0.0/8"
          hint="Addresses or ranges, one a line. None: any."
        />
        {kind === 'assistant' && (
          <TextField
            label="Uses a month"
            name="monthlyLimit"
            type="number"
            min={1}
            hint="Left empty: the installation’s limit."
          />
        )}
      </Form>
    </Dialog>
  );
}

function Made({
  token,
  example,
  onClose,
}: {
  token: string;
  example?: string;
  onClose: () => void;
}) {
  return (
    <Dialog title="Copy the key now" stubborn onClose={onClose}>
      <Notice tone="warn">It is shown once. We keep only a hash of it.</Notice>
      <Snippet text={token} what="new key" />
      {example && (
        <div className="stack-tight">
          <p className="soft">Try it:</p>
          <Snippet text={example} what="example with the new key" />
        </div>
      )}
      <div className="form-actions">
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  );
}

/** Stays when the key has ended: its successor is shown here, once. */
export function RotateKeyButton({ projectId, apiKey: key }: { projectId: string; apiKey: Key }) {
  const [open, setOpen] = useState(false);
  const rotate = useSend('POST /projects/:projectId/keys/:id/rotate');
  const close = () => {
    setOpen(false);
    rotate.reset();
  };
  return (
    <>
      {key.state === 'valid' && (
        <Button small onClick={() => setOpen(true)} aria-label={`Rotate ${key.name}`}>
          Rotate
        </Button>
      )}
      {open && rotate.data && <Made token={rotate.data.token} onClose={close} />}
      {open && !rotate.data && (
        <Dialog title={`Rotate “${key.name}”`} onClose={close}>
          <Form
            busy={rotate.isPending}
            error={rotate.error}
            submit="Make the successor"
            onSubmit={values =>
              rotate.mutate({
                params: { projectId, id: key.id },
                body: { graceHours: Number(values.text('graceHours')) },
              })
            }
          >
            <p className="soft">
              You get a new key with the same rights. Both work until the old one runs out.
            </p>
            <SelectField label="The old key works for another" name="graceHours" defaultValue="24">
              <option value="0">moment: it ends now</option>
              <option value="1">hour</option>
              <option value="24">day</option>
              <option value="168">week</option>
            </SelectField>
          </Form>
        </Dialog>
      )}
    </>
  );
}

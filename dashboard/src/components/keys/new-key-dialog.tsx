import { useState } from 'react';
import type { Key, NewKey } from '../../../../api/dashboard/contract/projects/projects.ts';
import type { FormValues } from '../../data/form-values.ts';
import { useSend } from '../../data/queries.ts';
import { Dialog } from '../dialogs/dialog.tsx';
import { Form, SelectField, TextArea, TextField } from '../forms/form.tsx';
import { agentSnippet, assistantSnippet } from './key-snippets.tsx';
import { NewKeyToken } from './new-key-token.tsx';

const LIFETIMES = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

interface Props {
  projectId: string;
  domain: string;
  baseUrl: string;
  onClose: () => void;
}

export function NewKeyDialog({ projectId, domain, baseUrl, onClose }: Props) {
  const create = useSend('POST /projects/:projectId/keys');
  if (create.data) {
    const { token, key } = create.data;
    return (
      <NewKeyToken
        token={token}
        onClose={onClose}
        example={
          key.kind === 'admin'
            ? agentSnippet(baseUrl, projectId, token)
            : assistantSnippet(baseUrl, domain, token, key.allowedOrigins)
        }
      />
    );
  }
  return (
    <Dialog title="New API key" onClose={onClose}>
      <Form
        busy={create.isPending}
        error={create.error}
        submit="Create key"
        onSubmit={values => create.mutate({ params: { projectId }, body: newKey(values) })}
      >
        <KeyFields />
      </Form>
    </Dialog>
  );
}

function newKey(values: FormValues): NewKey {
  const days = values.text('expiresInDays');
  const monthlyLimit = values.text('monthlyLimit');
  return {
    kind: values.text('kind') as Key['kind'],
    name: values.text('name'),
    allowedOrigins: values.list('allowedOrigins'),
    allowedAddresses: values.list('allowedAddresses'),
    ...(days && { expiresInDays: Number(days) }),
    ...(monthlyLimit && { monthlyLimit: Number(monthlyLimit) }),
  };
}

function KeyFields() {
  const [kind, setKind] = useState<Key['kind']>('assistant');
  return (
    <>
      <SelectField
        label="Kind"
        name="kind"
        value={kind}
        onChange={event => setKind(event.target.value as Key['kind'])}
        hint={
          kind === 'admin'
            ? 'Secret. Can start jobs in every project of the organization.'
            : 'Public: safe to put in a page. Can only ask the assistant of this site.'
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
      <ExpiryField />
      {kind === 'assistant' && <OriginsField />}
      <TextArea
        label="Allowed IP addresses"
        name="allowedAddresses"
        rows={2}
        placeholder="10.0.0.0/8"
        hint="Addresses or ranges, one per line. Empty: any address."
      />
      {kind === 'assistant' && (
        <TextField
          label="Monthly limit"
          name="monthlyLimit"
          type="number"
          min={1}
          hint="Empty: the limit of this installation."
        />
      )}
    </>
  );
}

function ExpiryField() {
  return (
    <SelectField label="Expires" name="expiresInDays">
      {LIFETIMES.map(([days, text]) => (
        <option key={days} value={days}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}

function OriginsField() {
  return (
    <TextArea
      label="Allowed origins"
      name="allowedOrigins"
      rows={2}
      placeholder="https://docs.example.com"
      hint="One per line; https://*.example.com also works. Empty: any site."
    />
  );
}

import type { AppManifest } from '../../../../api/dashboard/contract/github.ts';
import { useSend } from '../../data/queries.ts';
import { Form, TextField } from '../forms/form.tsx';

/** Creates the App on GitHub, which leads back here with its keys: nobody copies them. */
export function CreateApp({ organization }: { organization: string }) {
  const create = useSend('POST /organizations/:organization/github/app', post);
  return (
    <Form
      submit="Create the GitHub App"
      busy={create.isPending}
      error={create.error}
      onSubmit={values => {
        const account = values.optional('account');
        const body = account === undefined ? {} : { account };
        create.mutate({ params: { organization }, body });
      }}
    >
      <TextField
        label="Organization on GitHub"
        name="account"
        placeholder="your own account"
        hint="The account that has the docs. GitHub asks you to confirm, then to install the App."
      />
    </Form>
  );
}

/** GitHub takes a manifest from a form only. */
function post({ url, manifest }: AppManifest): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = url;
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = 'manifest';
  field.value = manifest;
  form.append(field);
  document.body.append(form);
  form.submit();
}

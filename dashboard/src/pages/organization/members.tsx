import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { Loaded } from '../../components/feedback/loaded.tsx';
import { Form, TextField } from '../../components/forms/form.tsx';
import { InvitationList } from '../../components/members/invitation-list.tsx';
import { InviteDialog } from '../../components/members/invite-dialog.tsx';
import { MemberTable } from '../../components/members/member-table.tsx';
import { Icon } from '../../components/text/icons.tsx';
import { may, useOrganization } from '../../data/place.ts';
import { membersQuery, useSend } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

export function MembersPage() {
  const organization = useOrganization();
  const owner = may(organization.role, 'owner');
  const members = useQuery(membersQuery(organization.slug));
  const [inviting, setInviting] = useState(false);
  const { slug } = organization;
  return (
    <Page
      title="Members"
      lead={`People with access to ${organization.name}, and their roles.`}
      actions={
        owner && (
          <Button look="primary" onClick={() => setInviting(true)}>
            <Icon name="plus" size={16} />
            Invite
          </Button>
        )
      }
    >
      <section className="card" aria-label="Members">
        <Loaded query={members}>
          {list => <MemberTable organization={slug} list={list} owner={owner} />}
        </Loaded>
      </section>
      {owner && members.data && members.data.invitations.length > 0 && (
        <InvitationList organization={slug} invitations={members.data.invitations} />
      )}
      {owner && (
        <section className="card card-pad section" aria-labelledby="organization">
          <h2 id="organization">Organization</h2>
          <Rename organization={slug} name={organization.name} />
        </section>
      )}
      {inviting && <InviteDialog organization={slug} onClose={() => setInviting(false)} />}
    </Page>
  );
}

function Rename({ organization, name }: { organization: string; name: string }) {
  const change = useSend('PATCH /organizations/:organization');
  return (
    <Form
      guarded
      busy={change.isPending}
      error={change.error}
      submit="Rename"
      done={change.isSuccess && 'Saved.'}
      onSubmit={values =>
        change.mutate({ params: { organization }, body: { name: values.text('name') } })
      }
    >
      <TextField
        label="Organization name"
        name="name"
        defaultValue={name}
        required
        hint="Its address does not change."
      />
    </Form>
  );
}

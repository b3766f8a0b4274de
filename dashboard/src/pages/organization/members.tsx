import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberList, Role } from '../../../../shared/dashboard/people.ts';
import { Badge } from '../../components/feedback/badge.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Snippet } from '../../components/controls/copy.tsx';
import { ConfirmButton, Dialog } from '../../components/dialogs/dialog.tsx';
import { Form, SelectField, TextField } from '../../components/forms/form.tsx';
import { formatTime, RelativeTime } from '../../components/text/format.tsx';
import { Icon } from '../../components/text/icons.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Page } from '../../layout/page.tsx';
import { Loaded } from '../../components/feedback/loaded.tsx';
import { may, useOrganization, useSession } from '../../data/place.ts';
import { membersQuery, useSend } from '../../data/queries.ts';

const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'Viewer: reads everything but secrets'],
  ['member', 'Member: also starts jobs, merges, reindexes'],
  ['owner', 'Owner: also keys, projects and members'],
];

export function MembersPage() {
  const organization = useOrganization();
  const owner = may(organization.role, 'owner');
  const members = useQuery(membersQuery(organization.slug));
  const [inviting, setInviting] = useState(false);
  const { slug } = organization;
  return (
    <Page
      title="Members"
      lead={`Who may see and do what in ${organization.name}.`}
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
        <Invitations organization={slug} invitations={members.data.invitations} />
      )}
      {owner && (
        <section className="card card-pad section" aria-labelledby="organization">
          <h2 id="organization">Organization</h2>
          <Rename organization={slug} name={organization.name} />
        </section>
      )}
      {inviting && <Invite organization={slug} onClose={() => setInviting(false)} />}
    </Page>
  );
}

function MemberTable({
  organization,
  list,
  owner,
}: {
  organization: string;
  list: MemberList;
  owner: boolean;
}) {
  const { user } = useSession();
  return (
    <div className="table-wrap">
      <table className="table table-cards">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Last seen</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.members.map(member => (
            <tr key={member.userId}>
              <td className="whole">
                <span className="row">
                  <strong>{member.name}</strong>
                  {member.userId === user.id && <Badge>you</Badge>}
                </span>
                <span className="small faint breaks">{member.email}</span>
              </td>
              <td data-label="Role">
                {owner ? <RoleChoice organization={organization} member={member} /> : member.role}
              </td>
              <td data-label="Last seen">
                {member.lastSeenAt ? <RelativeTime at={member.lastSeenAt} /> : 'never'}
              </td>
              <td className="end">
                {owner && <Remove organization={organization} member={member} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Member = MemberList['members'][number];

function RoleChoice({ organization, member }: { organization: string; member: Member }) {
  const change = useSend('PATCH /organizations/:organization/members/:userId');
  return (
    <div className="stack-tight">
      <select
        className="input"
        aria-label={`Role of ${member.name}`}
        value={change.isPending ? change.variables.body.role : member.role}
        onChange={event =>
          change.mutate({
            params: { organization, userId: member.userId },
            body: { role: event.target.value as Role },
          })
        }
      >
        {ROLES.map(([role]) => (
          <option key={role} value={role}>
            {role}
          </option>
        ))}
      </select>
      {change.error && <Notice tone="bad">{change.error.message}</Notice>}
    </div>
  );
}

function Remove({ organization, member }: { organization: string; member: Member }) {
  const remove = useSend('DELETE /organizations/:organization/members/:userId');
  return (
    <ConfirmButton
      small
      label="Remove"
      about={member.name}
      title={`Remove ${member.name}?`}
      verb="Remove"
      action={() => remove.mutateAsync({ params: { organization, userId: member.userId } })}
    >
      {member.email} can no longer see this organization. Jobs they started stay.
    </ConfirmButton>
  );
}

function Invitations({
  organization,
  invitations,
}: {
  organization: string;
  invitations: MemberList['invitations'];
}) {
  const withdraw = useSend('DELETE /organizations/:organization/invitations/:id');
  return (
    <section className="card" aria-labelledby="invitations">
      <div className="card-head">
        <h2 id="invitations">Open invitations</h2>
      </div>
      <ul className="list">
        {invitations.map(one => (
          <li key={one.id} className="row-between card-pad">
            <div className="breaks">
              <strong>{one.email}</strong> <Badge>{one.role}</Badge>
              <div className="small faint">
                sent <RelativeTime at={one.createdAt} />, good until {formatTime(one.expiresAt)}
              </div>
            </div>
            <ConfirmButton
              small
              label="Withdraw"
              about={one.email}
              title="Withdraw the invitation?"
              verb="Withdraw"
              action={() => withdraw.mutateAsync({ params: { organization, id: one.id } })}
            >
              Its link stops working.
            </ConfirmButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Invite({ organization, onClose }: { organization: string; onClose: () => void }) {
  const invite = useSend('POST /organizations/:organization/invitations');
  if (invite.data) {
    return (
      <Dialog title="Send this link" stubborn onClose={onClose}>
        <p>
          Docent sends no mail. Give the link to <strong>{invite.data.email}</strong> yourself; it
          works once, until {formatTime(invite.data.expiresAt)}, and is not shown again.
        </p>
        <Snippet text={invite.data.link} what="invitation link" />
        <div className="form-actions">
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <Form
        busy={invite.isPending}
        error={invite.error}
        submit="Make the link"
        onSubmit={values =>
          invite.mutate({
            params: { organization },
            body: { email: values.text('email'), role: values.text('role') as Role },
          })
        }
      >
        <TextField label="E-mail" name="email" type="email" autoComplete="off" required />
        <SelectField label="Role" name="role" defaultValue="member">
          {ROLES.map(([role, text]) => (
            <option key={role} value={role}>
              {text}
            </option>
          ))}
        </SelectField>
      </Form>
    </Dialog>
  );
}

function Rename({ organization, name }: { organization: string; name: string }) {
  const change = useSend('PATCH /organizations/:organization');
  return (
    <Form
      busy={change.isPending}
      error={change.error}
      submit="Rename"
      done={change.isSuccess && 'Saved.'}
      onSubmit={values =>
        change.mutate({ params: { organization }, body: { name: values.text('name') } })
      }
    >
      <TextField
        label="Name of the organization"
        name="name"
        defaultValue={name}
        required
        hint="Its address stays as it is."
      />
    </Form>
  );
}

import type { MemberList } from '../../../../api/dashboard/contract/people.ts';
import { type Role, useSession } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Notice } from '../feedback/notice.tsx';
import { RelativeTime } from '../text/format.tsx';
import { ROLES } from './roles.ts';
import { Table } from '../controls/table.tsx';

export function MemberTable({
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
    <Table columns={['Name', 'Role', 'Last seen']} actions>
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
            {owner && !isOnlyOwner(list, member) && <Remove {...{ organization, member }} />}
          </td>
        </tr>
      ))}
    </Table>
  );
}

type Member = MemberList['members'][number];

/** An organization keeps an owner. */
function isOnlyOwner({ members }: MemberList, { role }: Member): boolean {
  return role === 'owner' && members.filter(each => each.role === 'owner').length === 1;
}

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
      {member.email} can no longer see this organization. Their jobs are kept.
    </ConfirmButton>
  );
}

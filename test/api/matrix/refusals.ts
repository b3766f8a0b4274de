import type { Access } from '../../../api/dashboard/contract/routes/route-entry.ts';
import type { Group } from './route-rows.ts';

const BY_ROLE: Record<string, number> = { viewer: 0, member: 1, owner: 2 };
const FOREIGN_JOB = '404 There is no such job.';

/** How an answer to a caller begins that the route's row does not admit; undefined: it does. */
export function refusal(group: Group, caller: string, route: string): string | undefined {
  const [method = '', path = ''] = route.split(' ');
  switch (group) {
    case 'public':
    case 'link':
      return undefined;
    case 'delivery':
      return caller === 'signed delivery' ? undefined : '401 The signature is not by';
    case 'host token':
      return caller === 'host token' ? undefined : '401 This request requires';
    case 'git':
      return caller === 'host token' ? undefined : "401 This repository requires the host's token";
    case 'admin':
      return refusalOfAdminRoute(caller, path);
    case 'assistant':
      return refusalOfAssistantRoute(caller);
    default:
      return refusalOfDashboard(group, caller, method, path);
  }
}

/** Of a caller without a key that is good for anything. */
function refusalOfKey(caller: string): string | undefined {
  if (!/key$|^admin|^assistant|^host token$/.test(caller)) return '401 Send an API key';
  if (caller === 'a malformed key' || caller === 'host token')
    return '401 The API key is malformed';
  if (caller === 'an unknown key') return '401 The API key is unknown.';
  if (caller.endsWith(', expired')) return '401 The API key has expired.';
  if (caller.endsWith(', revoked')) return '401 The API key was revoked.';
  if (caller.endsWith(', wrong address'))
    return '403 This API key may not be used from this address.';
  return undefined;
}

function refusalOfAdminRoute(caller: string, path: string): string | undefined {
  const refused = refusalOfKey(caller);
  if (refused !== undefined) return refused;
  if (caller.startsWith('assistant')) return '403 This endpoint requires an admin API key';
  // Webhooks are those of the key's organization.
  if (caller === 'admin of another' && path.includes(':projectId'))
    return '404 There is no such project.';
  return caller === 'admin, foreign job' && path.includes('/job/:id') ? FOREIGN_JOB : undefined;
}

function refusalOfAssistantRoute(caller: string): string | undefined {
  const refused = refusalOfKey(caller);
  if (refused !== undefined) return refused;
  if (caller.startsWith('admin')) return '403 This endpoint requires an assistant API key';
  if (caller === 'assistant of another') return '404 There is no such domain.';
  if (caller === 'assistant of another domain')
    return '403 This API key belongs to another domain.';
  return caller === 'assistant, wrong origin'
    ? '403 This API key may not be used from this origin.'
    : undefined;
}

function refusalOfDashboard(
  group: Access,
  caller: string,
  method: string,
  path: string,
): string | undefined {
  const hasSession = caller in BY_ROLE || caller.startsWith('owner');
  const isForeignPage = !hasSession || caller === 'owner, from another page';
  if (method !== 'GET' && isForeignPage)
    return '403 The dashboard accepts requests only from its own pages.';
  if (group === 'anybody') return undefined;
  if (!hasSession || caller === 'owner, expired') return '401 Sign in first.';
  if (group === 'self') return undefined;
  const isOwner = /^owner(?:, from another page|, foreign job)?$/.test(caller);
  if (group === 'manager')
    return isOwner ? undefined : "403 Only owners of the installation's first organization";
  if (caller === 'owner no longer' || caller === 'owner of another')
    return `404 There is no such ${path.includes(':projectId') ? 'project' : 'organization'}.`;
  const role = isOwner ? 'owner' : caller;
  if (BY_ROLE[role]! < BY_ROLE[group]!) return `403 You need the role ${group} in`;
  return caller === 'owner, foreign job' && path.includes('/jobs/:id') ? FOREIGN_JOB : undefined;
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '../contract/people.ts';
import { recordAuditOfUser } from '../../../db/audit/audit-log.ts';
import { createSession, deleteSessionOf, type SignedIn } from '../../../db/people/sessions.ts';
import { managesOrganizations } from '../../../db/people/organizations.ts';
import { listUserOrganizations, type User } from '../../../db/people/users.ts';
import { currentVerdict } from '../../../db/models/current-verdict.ts';
import { transaction } from '../../../db/pool.ts';
import { agentModel, isOffline } from '../../../shared/models/model-ids.ts';
import { KINDS } from '../../../sites/kinds/registry.ts';
import { personOf } from '../../audit.ts';
import { plainAddress } from '../../plugins/client-address.ts';
import type { DashboardDeps } from '../deps.ts';
import type { SecretCookie } from './secret-cookie.ts';
import type { SignOn } from './sign-on-provider.ts';

/** What the routes work with that can begin a session. */
export interface SignInDeps extends DashboardDeps {
  cookie: SecretCookie;
  signOn: SignOn | undefined;
}

/** Begins a session of this browser, in place of an earlier one. */
export async function beginSession(
  deps: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  by: 'password' | 'invitation' | 'reset link' | 'provider',
): Promise<Session> {
  const { pool, cookie } = deps;
  const earlier = cookie.read(request);
  const session = await transaction(pool, async tx => {
    await recordAuditOfUser(tx, user.id, {
      action: 'sign_in.succeeded',
      actor: personOf(request, user),
      details: { by },
    });
    return createSession(tx, {
      userId: user.id,
      address: plainAddress(request.ip),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    });
  });
  if (earlier !== undefined) await deleteSessionOf(pool, earlier);
  cookie.set(reply, session.token);
  return signedInSession(deps, { id: session.id, user });
}

/** What the browser app knows of the person who is signed in. */
export async function signedInSession(
  deps: Pick<DashboardDeps, 'pool' | 'config' | 'publicUrl' | 'assistant'>,
  { id, user }: SignedIn,
): Promise<Session> {
  const { config } = deps;
  const operator = {
    temporalAddress: config.TEMPORAL_ADDRESS ?? null,
    temporalUiUrl: config.TEMPORAL_UI_URL ?? null,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: config.TASK_QUEUE,
  };
  const organizations = await listUserOrganizations(deps.pool, user.id);
  return {
    id,
    user,
    baseUrl: deps.publicUrl,
    managesOrganizations: await managesOrganizations(deps.pool, user.id),
    offlineModel: isOffline(config),
    modelVerdict: await currentVerdict(config, deps.pool),
    siteKinds: KINDS.map(({ name, title, choice = title }) => ({ name, title: choice })),
    effortModels: await effortModels(deps),
    organizations: organizations.map(each => ({
      ...each,
      operator: each.role === 'owner' ? operator : null,
    })),
  };
}

async function effortModels({
  config,
  assistant,
}: Pick<DashboardDeps, 'config' | 'assistant'>): Promise<Session['effortModels']> {
  const names = ['sonnet', 'opus'] as const;
  const features = await Promise.all(
    names.map(name => assistant.answering.featuresOf(agentModel(config, name))),
  );
  return names.filter((_, i) => features[i]?.has('thinking'));
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { OPERATOR, recordAuditOfRepository } from '../../db/audit/audit-log.ts';
import { Problem } from '../../shared/errors.ts';
import {
  LocalCommit,
  LocalMerge,
  LocalPullRequest,
  LocalRepositoryNow,
  MergeBase,
  NewPullRequest,
  PullRequestChange,
  RepositoryName,
} from '../../hosts/local/schemas.ts';
import { worded } from '../../shared/text/worded.ts';
import { BODY_LIMITS } from '../plugins/body-limits.ts';
import { recordAround } from '../audit.ts';
import { plainAddress } from '../plugins/client-address.ts';
import { hasToken } from './access.ts';
import type { LocalHostContext } from '../../hosts/local/context.ts';
import {
  closePullRequest,
  getPullRequest,
  listMerged,
  listPullRequests,
  createLocalPullRequest,
  updatePullRequest,
} from '../../hosts/local/pull-requests.ts';
import { commitsBetween, mergeBase } from '../../hosts/local/branch-tips.ts';
import { mergePullRequest } from '../../hosts/local/merge-pull-request.ts';
import { readRepository } from '../../hosts/local/repositories.ts';

type App = Parameters<FastifyPluginAsyncTypebox>[0];

const InRepository = Type.Object({ repository: RepositoryName });
const PullRequestParams = Type.Object({
  repository: RepositoryName,
  number: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
});
const BranchName = Type.String({ maxLength: 255 });
const BranchNames = Type.Union([BranchName, Type.Array(BranchName, { maxItems: 100 })]);
const CommitId = worded('^[0-9a-f]{40}$', ' of 40 hexadecimal digits');

/**
 * What workers and `docent pr` ask besides git: JSON under `/git/<name>`, for bearers of the host's
 * token only.
 */
export const localPullRequestRoutes: FastifyPluginAsyncTypebox<{
  host: LocalHostContext;
  token: string;
}> = async (app, { host, token }) => {
  app.addHook('onRequest', async request => {
    if (!hasToken(request, token))
      throw new Problem('unauthorized', 'This request requires the repository host’s token.');
  });

  app.get(
    '/git/:repository',
    {
      schema: {
        hide: true,
        params: InRepository,
        querystring: Type.Object({ branch: Type.Optional(BranchNames) }),
        response: { 200: LocalRepositoryNow },
      },
    },
    ({ params, query: { branch = [] } }) =>
      readRepository(host, params.repository, [branch].flat()),
  );

  app.get(
    '/git/:repository/merged',
    {
      schema: {
        hide: true,
        params: InRepository,
        querystring: Type.Object({
          base: BranchName,
          since: worded('^\\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,12}Z$', ' in ISO 8601'),
        }),
        response: { 200: Type.Array(LocalMerge) },
      },
    },
    ({ params, query }) => listMerged(host, params.repository, query.base, new Date(query.since)),
  );

  commitRoutes(app, host);
  pullRoutes(app, host);
};

function commitRoutes(app: App, host: LocalHostContext): void {
  app.get(
    '/git/:repository/merge-base',
    {
      schema: {
        hide: true,
        params: InRepository,
        querystring: Type.Object({ a: CommitId, b: CommitId }),
        response: { 200: MergeBase },
      },
    },
    async request => ({
      commit: await mergeBase(host, request.params.repository, request.query.a, request.query.b),
    }),
  );

  app.get(
    '/git/:repository/commits',
    {
      schema: {
        hide: true,
        params: InRepository,
        querystring: Type.Object({ base: CommitId, head: CommitId }),
        response: { 200: Type.Array(LocalCommit) },
      },
    },
    ({ params, query }) => commitsBetween(host, params.repository, query.base, query.head),
  );
}

function pullRoutes(app: App, host: LocalHostContext): void {
  app.get(
    '/git/:repository/pulls',
    {
      schema: {
        hide: true,
        params: InRepository,
        querystring: Type.Object({ head: Type.Optional(Type.String()) }),
        response: { 200: Type.Array(LocalPullRequest) },
      },
    },
    request => listPullRequests(host, request.params.repository, request.query),
  );

  app.post(
    '/git/:repository/pulls',
    {
      bodyLimit: BODY_LIMITS.text,
      schema: {
        hide: true,
        params: InRepository,
        body: NewPullRequest,
        response: { 200: LocalPullRequest },
      },
    },
    request => createLocalPullRequest(host, request.params.repository, request.body),
  );

  const one = { hide: true, params: PullRequestParams, response: { 200: LocalPullRequest } };
  app.get('/git/:repository/pulls/:number', { schema: one }, request =>
    getPullRequest(host, request.params.repository, request.params.number),
  );
  app.patch(
    '/git/:repository/pulls/:number',
    { bodyLimit: BODY_LIMITS.text, schema: { ...one, body: PullRequestChange } },
    request =>
      updatePullRequest(host, request.params.repository, request.params.number, request.body),
  );
  endRoutes(app, host);
}

/** Merging and closing, which the audit log contains. */
function endRoutes(app: App, host: LocalHostContext): void {
  const schema = { hide: true, params: PullRequestParams, response: { 200: LocalPullRequest } };
  for (const [verb, end, action] of [
    ['merge', mergePullRequest, 'pull_request.merged'],
    ['close', closePullRequest, 'pull_request.closed'],
  ] as const)
    app.post(`/git/:repository/pulls/:number/${verb}`, { schema }, async request => {
      const { repository, number } = request.params;
      await getPullRequest(host, repository, number);
      const about = {
        actor: { ...OPERATOR, address: plainAddress(request.ip) },
        subject: { kind: 'pull_request', id: String(number), name: `${repository}#${number}` },
      };
      return recordAround(
        action,
        recorded =>
          recordAuditOfRepository(
            host.pool,
            { host: 'local', repository },
            { ...about, action: recorded },
          ),
        () => end(host, repository, number),
      );
    });
}

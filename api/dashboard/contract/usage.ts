/** What was used: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { USAGE_KINDS } from '../../../db/models/usage.ts';
import { CostSchema } from '../../../shared/models/cost.ts';
import { nullable, Time } from './common.ts';

export const UsageQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, default: 30 })),
});

/** What usage is summed by. */
const UsageKindSchema = Type.Union(USAGE_KINDS.map(kind => Type.Literal(kind)));
export type UsageKind = Static<typeof UsageKindSchema>;

const Window = { used: Type.Integer(), limit: Type.Integer(), resetsAt: Time };

export const Usage = Type.Object({
  /** Id of the model that answers readers. */
  assistantModel: Type.String(),
  limits: Type.Object({
    /** Requests of the organization in this hour. */
    organization: Type.Object(Window),
    /** Requests from your own address today, in the whole installation. */
    address: Type.Object({ address: Type.String(), ...Window }),
    /** Uses this month, a row for each assistant key that is not revoked. */
    keys: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        start: Type.String(),
        domain: Type.String(),
        ...Window,
      }),
    ),
    /** Agent cost this month; limit null: none is set. */
    agentCost: Type.Object({
      /** Of the calls whose model has a price; null: no call has one. */
      usedUsd: nullable(Type.Number()),
      /** Calls that the limit does not hold. */
      callsWithoutPrice: Type.Integer(),
      /** Configured models that the limit cannot count. */
      modelsWithoutPrice: Type.Array(Type.String()),
      limitUsd: nullable(Type.Number()),
      resetsAt: Time,
    }),
  }),
  /** A row for each UTC day, oldest first, today last; days without use are there with zeros. */
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: 'YYYY-MM-DD' }),
      jobs: Type.Integer(),
      failedJobs: Type.Integer(),
      questions: Type.Integer(),
      unanswered: Type.Integer(),
      agentTokens: Type.Integer(),
      assistantTokens: Type.Integer(),
      /** Null: calls were made, and no cost is known. */
      agentCostUsd: nullable(Type.Number()),
      assistantCostUsd: nullable(Type.Number()),
      /** Calls whose cost is in neither sum: without a price, or never reported. */
      callsOfUnknownCost: Type.Integer(),
      /** Those among them whose model has no price. */
      callsWithoutPrice: Type.Integer(),
    }),
  ),
  /** Model calls of the whole period, the most tokens first; one row for each of each kind. */
  totals: Type.Array(
    Type.Object({
      kind: UsageKindSchema,
      /** Null: no key, or nobody who signs in. */
      id: nullable(Type.String()),
      name: nullable(Type.String()),
      /** A project's domain, the beginning of a key. */
      detail: nullable(Type.String()),
      calls: Type.Integer(),
      tokens: Type.Integer(),
      ...CostSchema.properties,
    }),
  ),
  /**
   * Model calls by key and day: only days on which a key was used. `key` null: started in the
   * dashboard.
   */
  byKey: Type.Array(
    Type.Object({
      day: Type.String(),
      key: nullable(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          start: Type.String(),
          kind: Type.Union([Type.Literal('admin'), Type.Literal('assistant')]),
        }),
      ),
      calls: Type.Integer(),
      tokens: Type.Integer(),
      ...CostSchema.properties,
    }),
  ),
});
export type Usage = Static<typeof Usage>;

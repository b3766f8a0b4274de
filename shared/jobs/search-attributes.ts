import {
  type Client,
  type Connection,
  isGrpcServiceError,
  type ServiceError,
} from '@temporalio/client';
import {
  defineSearchAttributeKey,
  type SearchAttributePair,
  SearchAttributeType,
  TypedSearchAttributes,
} from '@temporalio/common';
import { SEARCH_ATTRIBUTE_TYPES, type SearchAttribute } from './attribute-names.ts';

const INVALID_ARGUMENT = new Set<number>([3]);
const NAMES = Object.keys(SEARCH_ATTRIBUTE_TYPES) as SearchAttribute[];
const KEYS = Object.fromEntries(
  NAMES.map(name => [
    name,
    defineSearchAttributeKey(
      name,
      SEARCH_ATTRIBUTE_TYPES[name] === 'Text'
        ? SearchAttributeType.TEXT
        : SearchAttributeType.KEYWORD,
    ),
  ]),
);
/** Numbers of `temporal.api.enums.v1.IndexedValueType`. */
const TYPES = { Text: 1, Keyword: 2 } as const;

/** An attribute that is made is there for everybody within a minute. */
const ASKED_AGAIN_MS = 60_000;
const ASKING_MS = 3_000;
const asked = new WeakMap<Client, { at: number; known: Promise<SearchAttribute[]> }>();

/**
 * The search attributes that the server has for our namespace, by a query for each, which every
 * server answers; remembered for a minute. Those that it does not tell of count as there.
 */
export async function knownAttributes(client: Client): Promise<SearchAttribute[]> {
  const before = asked.get(client);
  if (before && Date.now() - before.at < ASKED_AGAIN_MS) return before.known;
  const known = client.withDeadline(Date.now() + ASKING_MS, async () => {
    const there = await Promise.all(NAMES.map(name => isKnown(client, name)));
    return NAMES.filter((_, i) => there[i]);
  });
  asked.set(client, { at: Date.now(), known });
  return known;
}

async function isKnown(client: Client, name: SearchAttribute): Promise<boolean> {
  try {
    await client.workflow.count(`${name} = "-"`);
    return true;
  } catch (error) {
    return !isInvalid(error);
  }
}

/** Whether the server refused what it was asked, and not only did not answer. */
export function isInvalid(error: unknown): boolean {
  const cause = isGrpcServiceError(error) ? error : (error as ServiceError | undefined)?.cause;
  return isGrpcServiceError(cause) && INVALID_ARGUMENT.has(cause.code);
}

/** Values for those that the server has. */
export function typedAttributes(
  known: readonly SearchAttribute[],
  values: Partial<Record<SearchAttribute, string>>,
): TypedSearchAttributes {
  const pairs = Object.entries(values)
    .filter(([name]) => known.includes(name as SearchAttribute))
    .map(([name, value]) => ({ key: KEYS[name], value }) as SearchAttributePair);
  return new TypedSearchAttributes(pairs);
}

/**
 * Makes the search attributes that the server lacks. Rejects where we may not: Temporal Cloud, and
 * servers whose authorizer says so.
 */
export async function makeAttributes(client: Client): Promise<void> {
  const known = await knownAttributes(client);
  const missing = NAMES.filter(name => !known.includes(name));
  const { connection } = client;
  if (missing.length === 0 || !('operatorService' in connection)) return;
  const { operatorService } = connection as Connection;
  await client.withDeadline(Date.now() + ASKING_MS, () =>
    operatorService.addSearchAttributes({
      namespace: client.options.namespace,
      searchAttributes: Object.fromEntries(
        missing.map(name => [name, TYPES[SEARCH_ATTRIBUTE_TYPES[name]]]),
      ),
    }),
  );
  asked.delete(client);
}

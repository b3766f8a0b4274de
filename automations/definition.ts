import { globFilter } from '../agent/tools/glob.ts';
import { readFrontMatter } from '../sites/outline/front-matter.ts';
import { isObject } from '../sites/values.ts';
import type { Definition, Trigger, WatchedBranch } from '../shared/jobs/automation.ts';
import type { ContextRepository } from '../shared/context-repositories.ts';
import { MAX_PROMPT } from '../shared/jobs/job.ts';
import { BudgetSchema } from '../shared/jobs/waiting-schemas.ts';
import { isTimezone, wrongInCron } from './cron.ts';

/** Why a file cannot be used: a sentence for its page. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
}

type Members = Record<string, unknown>;

const KNOWN = [
  ...['name', 'on', 'context', 'paths', 'draft', 'labels', 'automerge'],
  ...['budget', 'requirePlanApproval', 'questions', 'digest'],
];
const TRIGGERS = ['cron', 'merge', 'push', 'index', 'manual'] as const;
const MOST_ENTRIES = 50;
const MAX_NAME = 100;
/** Steers terminals, ends lines, or turns the direction of what lists show after it. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/** Room for the change that an instruction is given with. */
const MAX_INSTRUCTION = MAX_PROMPT / 2;

/**
 * What an automation's file says, every member checked against an allow-list. Repositories must be
 * among those that an owner allowed the project to read. Throws `DefinitionError`.
 */
export function parseDefinition(source: string, allowed: readonly ContextRepository[]): Definition {
  const { members, body, error } = readFrontMatter(source);
  if (error) throw wrong(`The front matter cannot be read, line ${error.line}: ${error.message}`);
  onlyKnown(members, KNOWN, '');
  if (members['automerge'] !== undefined && members['automerge'] !== false)
    throw wrong('"automerge" can only be false: a person merges what an automation proposes.');
  const instruction = body.trim();
  if (instruction === '') throw wrong('The file has no instruction after the front matter.');
  if (instruction.length > MAX_INSTRUCTION)
    throw wrong(`The instruction may have ${MAX_INSTRUCTION} characters at most.`);
  return {
    name: nameOf(members['name']),
    trigger: triggerOf(members['on'], allowed),
    context: contextOf(members['context'], allowed),
    paths: pathsOf(members['paths']),
    draft: booleanOf(members, 'draft', true),
    questions: booleanOf(members, 'questions', false),
    digest: booleanOf(members, 'digest', false),
    labels: textsOf(members['labels'], 'labels', /^[^\u0000-\u001f,]{1,50}$/),
    ...budgetOf(members['budget']),
    ...('requirePlanApproval' in members && {
      requirePlanApproval: booleanOf(members, 'requirePlanApproval', false),
    }),
    instruction,
  };
}

function nameOf(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '')
    throw wrong('"name" is missing: give the automation a name.');
  const name = value.trim();
  if (name.length > MAX_NAME || UNSEEN.test(name))
    throw wrong(`"name" must be one line of at most ${MAX_NAME} characters that can be seen.`);
  return name;
}

function triggerOf(value: unknown, allowed: readonly ContextRepository[]): Trigger {
  if (value === 'manual' || value === 'index') return { kind: value };
  if (!isObject(value))
    throw wrong(`"on" is missing: name exactly one trigger (${TRIGGERS.join(', ')}).`);
  onlyKnown(value, [...TRIGGERS, 'timezone'], 'on.');
  const named = TRIGGERS.filter(name => name in value);
  const [kind] = named;
  if (kind === undefined || named.length > 1)
    throw wrong(
      `"on" must have exactly one trigger; it has ${named.length === 0 ? 'none' : named.join(' and ')}.`,
    );
  if (value['timezone'] !== undefined && kind !== 'cron')
    throw wrong('"on.timezone" goes with "on.cron" only.');
  switch (kind) {
    case 'cron':
      return cronOf(value);
    case 'merge':
    case 'push':
      return { kind, ...watchedOf(value[kind], `on.${kind}`, allowed) };
    case 'index':
    case 'manual':
      if (value[kind] !== true) throw wrong(`"on.${kind}" must be true.`);
      return { kind };
  }
}

function cronOf({ cron, timezone = 'UTC' }: Members): Trigger {
  if (typeof cron !== 'string') throw wrong('"on.cron" must be a text such as "0 9 * * 1".');
  const problem = wrongInCron(cron);
  if (problem) throw wrong(`"on.cron" ${problem}.`);
  if (typeof timezone !== 'string' || !isTimezone(timezone))
    throw wrong(`"on.timezone" is not a known time zone such as Europe/Berlin.`);
  return { kind: 'cron', cron: cron.trim().replace(/\s+/g, ' '), timezone };
}

/** One repository with its branch, also as a list of one. */
function watchedOf(
  value: unknown,
  at: string,
  allowed: readonly ContextRepository[],
): WatchedBranch {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const [one] = list;
  if (list.length !== 1 || !isObject(one))
    throw wrong(`"${at}" must name one repository: { repo: owner/name, branch: main }.`);
  onlyKnown(one, ['repo', 'branch'], `${at}.`);
  const { host, repository, ref } = allowedRepository(one['repo'], at, allowed);
  const branch = one['branch'] ?? ref;
  if (typeof branch !== 'string' || !/^[\w.][\w./+-]{0,200}$/.test(branch))
    throw wrong(`"${at}.branch" is not the name of a branch.`);
  if (/^[0-9a-f]{40}$/.test(branch)) throw wrong(`"${at}.branch" is a commit, which never moves.`);
  return { host, repository, branch };
}

function contextOf(value: unknown, allowed: readonly ContextRepository[]): string[] {
  return listOf(value ?? [], 'context').map(one => {
    if (!isObject(one)) throw wrong('"context" must be a list of { repo: owner/name }.');
    onlyKnown(one, ['repo'], 'context.');
    return allowedRepository(one['repo'], 'context', allowed).name;
  });
}

function allowedRepository(
  value: unknown,
  at: string,
  allowed: readonly ContextRepository[],
): ContextRepository {
  if (typeof value !== 'string')
    throw wrong(`"${at}" names no repository: write repo: owner/name.`);
  const name = value.toLowerCase();
  const found = allowed.find(one => one.repository.toLowerCase() === name || one.name === name);
  if (found) return found;
  throw wrong(
    `"${at}": ${JSON.stringify(value)} is not a context repository of this project. ` +
      'An owner can add it in the project’s settings.',
  );
}

function pathsOf(value: unknown): string[] {
  const paths = textsOf(value, 'paths', /^[^\u0000-\u001f]{1,300}$/);
  for (const path of paths) {
    try {
      globFilter(path.replace(/^!/, ''), '');
    } catch {
      throw wrong(`"paths": ${JSON.stringify(path)} is not a pattern such as src/**.`);
    }
  }
  return paths;
}

function textsOf(value: unknown, at: string, form: RegExp): string[] {
  return listOf(value ?? [], at).map(one => {
    if (typeof one === 'string' && form.test(one)) return one;
    throw wrong(`"${at}" must be a list of short texts.`);
  });
}

function listOf(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) throw wrong(`"${at}" must be a list.`);
  if (value.length > MOST_ENTRIES) throw wrong(`"${at}" may have ${MOST_ENTRIES} entries at most.`);
  return value;
}

function budgetOf(value: unknown): Pick<Definition, 'budgetUsd'> {
  if (value === undefined) return {};
  const { minimum = 0, maximum = 0 } = BudgetSchema;
  if (typeof value !== 'number' || !(value >= minimum && value <= maximum))
    throw wrong(`"budget" must be a number of US dollars from ${minimum} to ${maximum}.`);
  return { budgetUsd: value };
}

function booleanOf(members: Members, name: string, fallback: boolean): boolean {
  const value = members[name] ?? fallback;
  if (typeof value !== 'boolean') throw wrong(`"${name}" must be true or false.`);
  return value;
}

function onlyKnown(members: Members, known: readonly string[], prefix: string): void {
  const unknown = Object.keys(members).find(name => !known.includes(name));
  if (unknown === undefined) return;
  throw wrong(
    `${JSON.stringify(prefix + unknown)} is unknown. Known here: ${known.join(', ')}.`.slice(
      0,
      400,
    ),
  );
}

function wrong(sentence: string): DefinitionError {
  return new DefinitionError(sentence);
}

import { AUTOMATION_RUN } from '../shared/agent-text.ts';
import type { Cause, Definition } from '../shared/jobs/automation.ts';
import { type ChangedFiles, quoteChange } from './quote.ts';
import { quoteQuestions } from './reader-questions.ts';

const MAX_DIFF = 30_000;

/** Of every run: nobody is there to ask, and what people complain about in automations of others. */
const RULES = `Rules of automations:
- If nothing needs to change, change nothing, and say why in one sentence.
- Leave files alone that a tool generates, such as a changelog that a release tool writes, unless the instruction names them.
- Change only what the instruction is about, and keep short pages short.
- Write titles in the form of the repository's own commits.`;

const NOT_MERGED =
  'The change below is not merged yet. Write the docs as they must be once it is. What an earlier ' +
  'run wrote about a former state of it, bring up to date.';

/** The instruction of a run, with what caused it as data. */
export function runPrompt(
  { name, instruction, context }: Definition,
  cause: Cause,
  changed: (ChangedFiles & { pages: string[] }) | undefined,
  { questions = [], digest }: { questions?: readonly string[]; digest?: string | undefined } = {},
): string {
  return [
    instruction,
    `${AUTOMATION_RUN} "${name}", ${startedBy(cause)}.`,
    ...(context.length > 0 ? [`It is about the repositories ${context.join(', ')}.`] : []),
    RULES,
    ...(questions.length > 0 ? [quoteQuestions(questions)] : []),
    ...(digest ? [digest] : []),
    ...(cause.kind === 'change' && changed
      ? [
          ...(cause.change.prepares ? [NOT_MERGED] : []),
          quoteChange(cause.change, changed, MAX_DIFF),
          ...(changed.pages.length > 0
            ? [`Pages that may be concerned: ${changed.pages.join(', ')}.`]
            : []),
        ]
      : []),
  ].join('\n\n');
}

function startedBy(cause: Cause): string {
  switch (cause.kind) {
    case 'schedule':
      return 'started by its schedule';
    case 'hand':
      return 'started by a person';
    case 'index':
      return `started because the docs changed (${cause.commit.slice(0, 10)})`;
    case 'change':
      return 'started by the change below';
  }
}

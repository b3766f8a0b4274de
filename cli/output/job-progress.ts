import type { JobEvent, Todo } from '../../shared/jobs/job.ts';
import { planText } from '../../shared/jobs/waiting.ts';
import { paint, print } from './terminal.ts';

const TODO_MARKS: Record<Todo['status'], string> = {
  pending: '[ ]',
  in_progress: '[~]',
  completed: '[x]',
  cancelled: '[-]',
};

/** The lines printed for an event; none if the text `said` last or other lines already say it. */
function progressLines(event: JobEvent, said: string): string[] {
  switch (event.type) {
    case 'instruction':
      return [paint('bold', `> ${event.prompt}`)];
    case 'text':
      return event.text.trim() === '' ? [] : indented(event.text.trim());
    case 'tool_call':
      return [paint('cyan', `  · ${event.toolName} ${objectOf(event.args)}`.trimEnd())];
    case 'tool_result':
      return event.isError ? [paint('yellow', `    ${event.summary}`)] : [];
    case 'todos':
      return event.todos.map(todo => `  ${TODO_MARKS[todo.status]} ${todo.content}`);
    case 'plan':
      return indented(planText(event.plan));
    case 'waiting':
      return [paint('yellow', `  ! ${waitingLine(event)}`)];
    case 'checks':
      return event.findings.map(found =>
        paint(
          'yellow',
          `  ! ${found.path}${found.line === null ? '' : `:${found.line}`} ${found.message}`,
        ),
      );
    case 'commit':
      return [`  · commit ${event.commit.slice(0, 7)} on ${event.branch}`];
    case 'pull_request':
      return [paint('green', `  · pull request ${event.state}: ${event.prLink}`)];
    case 'retry':
      return [paint('yellow', `  ! ${event.reason} Trying again.`)];
    case 'rewound':
      return [paint('yellow', `  ! rewound to step ${event.step} of turn ${event.turn}`)];
    case 'error':
      return [paint('red', `  ! ${event.message}`)];
    case 'finish': {
      const { status, code, outcome = status, messageToUser } = event;
      const end = code ? `${outcome} (${code})` : outcome;
      return [
        paint(
          status === 'completed' ? 'green' : 'red',
          messageToUser.trim() === said ? end : `${end}: ${messageToUser}`,
        ),
      ];
    }
    case 'status':
      return [];
  }
}

function indented(text: string): string[] {
  return text.split('\n').map(line => `  ${line}`);
}

function waitingLine({ waitingFor, state }: JobEvent & { type: 'waiting' }): string {
  if (state === 'ended') return `nobody came: the job no longer waits for ${waitingFor}`;
  return `the job ${state === 'began' ? 'waits' : 'still waits'} for ${waitingFor}`;
}

/** Prints a job's progress as it happens, with the step numbers that `docent job rewind` uses. */
export async function printProgress(
  events: AsyncIterable<{ seq: number; event: JobEvent }>,
): Promise<{ lastSeq: number }> {
  let lastSeq = 0;
  let said = '';
  let heading = '';
  const pending = new Set<string>();
  for await (const { seq, event } of events) {
    lastSeq = seq;
    if (event.type === 'tool_call') pending.add(event.toolCallId);
    if (event.type === 'tool_result') pending.delete(event.toolCallId);
    if (event.type === 'rewound') pending.clear();
    if (event.type === 'finish' && pending.size > 0) {
      print(
        paint(
          'yellow',
          `  ! the turn ended before the last ${pending.size} of the calls above were run`,
        ),
      );
      pending.clear();
    }
    const lines = progressLines(event, said);
    const step =
      'step' in event && event.type !== 'rewound' && lines.length > 0
        ? `  step ${event.step} of turn ${event.turn}`
        : heading;
    if (step !== heading) print(paint('dim', step));
    heading = event.type === 'rewound' ? '' : step;
    for (const line of lines) print(line);
    if (event.type === 'text') said = event.text.trim();
  }
  return { lastSeq };
}

/** What a tool call is about: the path or the words, not the whole text of a page. */
function objectOf(args: Record<string, unknown>): string {
  for (const name of ['path', 'from', 'query', 'pattern', 'find', 'glob', 'title']) {
    const value = args[name];
    if (typeof value === 'string') return value.length > 80 ? `${value.slice(0, 79)}…` : value;
  }
  return '';
}

import type { JobEvent } from '../../../shared/job.ts';
import type { NumberedEvent } from './job-events.ts';

type Of<T extends JobEvent['type']> = Extract<JobEvent, { type: T }>;

export interface ToolCall { call: Of<'tool_call'>; result: Of<'tool_result'> | undefined }

/** What a job's page shows, top to bottom. */
export type TimelineItem = { seq: number } & (
  | { type: 'instruction'; instruction: Of<'instruction'> }
  | { type: 'text'; text: string }
  | { type: 'tools'; calls: ToolCall[] }
  | { type: 'checks'; findings: Of<'checks'>['findings'] }
  | { type: 'commit'; commit: Of<'commit'> }
  | { type: 'pull_request'; pullRequest: Of<'pull_request'> }
  | { type: 'rewound'; turn: number }
  | { type: 'error'; message: string }
  | { type: 'finish'; finish: Of<'finish'> }
);

/** Events as a story: calls meet their results, and calls in a row stand together. */
export function timelineOf(events: readonly NumberedEvent[]): TimelineItem[] {
  const items: TimelineItem[] = [];
  const open = new Map<string, ToolCall>();
  for (const { seq, event } of events) {
    switch (event.type) {
      case 'tool_call': {
        const call: ToolCall = { call: event, result: undefined };
        open.set(event.toolCallId, call);
        const last = items.at(-1);
        if (last?.type === 'tools') last.calls.push(call);
        else items.push({ seq, type: 'tools', calls: [call] });
        break;
      }
      case 'tool_result': {
        const call = open.get(event.toolCallId);
        if (call) call.result = event;
        break;
      }
      case 'instruction': items.push({ seq, type: 'instruction', instruction: event }); break;
      case 'text': items.push({ seq, type: 'text', text: event.text }); break;
      case 'checks': items.push({ seq, type: 'checks', findings: event.findings }); break;
      case 'commit': items.push({ seq, type: 'commit', commit: event }); break;
      case 'pull_request': items.push({ seq, type: 'pull_request', pullRequest: event }); break;
      case 'rewound': items.push({ seq, type: 'rewound', turn: event.turn }); break;
      case 'error': items.push({ seq, type: 'error', message: event.message }); break;
      case 'finish': items.push({ seq, type: 'finish', finish: event }); break;
      case 'status': case 'todos': break; // shown beside the story
    }
  }
  return items;
}

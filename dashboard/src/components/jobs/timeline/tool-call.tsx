import { useState } from 'react';
import type { ToolCall } from '../../../data/jobs/steps.ts';
import { type CallState, neighbours, stateOf } from '../../../data/jobs/work.ts';
import { Duration } from '../../text/duration.tsx';
import { Icon, type IconName } from '../../text/icons.tsx';
import type { CallParts } from './call-parts.ts';
import { ToolResult } from './tool-result.tsx';
import { objectOf, summaryOf, verbOf } from './tool-names.ts';

const MARKS: Record<Exclude<CallState, 'running'>, IconName> = {
  failed: 'cross',
  problems: 'warning',
  done: 'check',
  'not run': 'dash',
};
/** Read out before a call: its mark is only seen. */
const WORDS: Partial<Record<CallState, string>> = { problems: 'found problems' };

/** Calls in a row; neighbours of the same tool in one line. */
export function ToolCalls({ calls, parts }: { calls: readonly ToolCall[]; parts: CallParts }) {
  return (
    <ul>
      {neighbours(calls).map(group => {
        const [first] = group;
        if (!first) return null;
        return group.length === 1 ? (
          <ToolCallRow key={first.call.toolCallId} call={first} parts={parts} />
        ) : (
          <li key={`${first.call.toolCallId} and more`} className="call">
            <details>
              <summary>
                <Mark state="done" />
                <span className="call-verb">{summaryOf(group)}</span>
                <span className="call-summary faint small">
                  <Duration ms={group.reduce((sum, { ms = 0 }) => sum + ms, 0)} />
                </span>
              </summary>
              <ul className="call-neighbours">
                {group.map(call => (
                  <ToolCallRow key={call.call.toolCallId} call={call} parts={parts} />
                ))}
              </ul>
            </details>
          </li>
        );
      })}
    </ul>
  );
}

/** One call of a tool: its outcome in a line, its result on demand. */
function ToolCallRow({ call: toolCall, parts }: { call: ToolCall; parts: CallParts }) {
  const [isOpen, setOpen] = useState(false);
  const { call, start, ms } = toolCall;
  const state = stateOf(toolCall);
  return (
    <li className="call step" id={start && parts.anchor?.(call)}>
      <details onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <Mark state={state} />
          <span className="visually-hidden">{WORDS[state] ?? state}: </span>
          <span className="call-verb">{verbOf(toolCall)}</span>
          <span className="call-object mono clip">{objectOf(toolCall)}</span>
          <Outcome call={toolCall} state={state} />
          {ms !== undefined && (
            <span className="call-time faint small">
              <Duration ms={ms} />
            </span>
          )}
        </summary>
        {isOpen && <ToolResult call={toolCall} state={state} parts={parts} />}
      </details>
      {start && parts.rewind?.(start)}
    </li>
  );
}

function Mark({ state }: { state: CallState }) {
  return state === 'running' ? (
    <span className="spinner" />
  ) : (
    <span className={`call-mark call-${state.replace(' ', '-')}`}>
      <Icon name={MARKS[state]} size={14} />
    </span>
  );
}

/** A summary begins with the object of the call, which the row already shows. */
function Outcome({ call, state }: { call: ToolCall; state: CallState }) {
  const object = objectOf(call);
  const summary = call.result?.summary ?? '';
  const text =
    state === 'not run'
      ? state
      : summary.startsWith(object)
        ? summary.slice(object.length).trim()
        : summary;
  return text === '' ? null : <span className="call-summary faint small clip">{text}</span>;
}

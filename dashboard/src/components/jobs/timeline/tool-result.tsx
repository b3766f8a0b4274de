import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { stepQuery } from '../../../data/queries.ts';
import type { ToolCall } from '../../../data/jobs/steps.ts';
import type { CallState } from '../../../data/jobs/work.ts';
import { Failed, Loading } from '../../feedback/loaded.tsx';
import { Duration } from '../../text/duration.tsx';
import { EditDiff, editOf } from './edit-diff.tsx';
import { ResultText } from './result-text.tsx';
import type { CallParts } from './call-parts.ts';

interface Props {
  call: ToolCall;
  state: CallState;
  parts: CallParts;
}

/** What a call asked for and what came of it. */
export function ToolResult({ call, state, parts }: Props) {
  const { toolName, args } = call.call;
  const edit = useMemo(() => editOf(toolName, args), [toolName, args]);
  if (state === 'failed')
    return (
      <div className="call-body">
        <p className="call-why">It failed. The model read:</p>
        <GivenText call={call} parts={parts} isFailed />
        {edit && (
          <>
            <p className="small soft">The edit that it asked for:</p>
            <EditDiff edit={edit} />
          </>
        )}
        <CallFoot call={call} parts={parts} />
      </div>
    );
  return (
    <div className="call-body">
      {edit ? <EditDiff edit={edit} /> : call.result && <GivenText call={call} parts={parts} />}
      <CallFoot call={call} parts={parts} />
    </div>
  );
}

/** The text that the model read, which is fetched when a person opens the call. */
function GivenText({
  call: { call },
  parts,
  isFailed = false,
}: Pick<Props, 'call' | 'parts'> & { isFailed?: boolean }) {
  const given = useQuery(stepQuery(parts.jobPath, call.turn, call.step));
  if (given.isPending) return <Loading lines={2} />;
  if (given.isError)
    return (
      <Failed
        error={given.error}
        retry={() => {
          void given.refetch();
        }}
      />
    );
  const text = given.data.results.findLast(each => each.toolCallId === call.toolCallId);
  return text ? (
    <ResultText toolName={call.toolName} text={text} isFailed={isFailed} />
  ) : (
    <p className="faint small">The result is not stored.</p>
  );
}

/** The step's address, how long the call took, and what it was called with. */
function CallFoot({ call: { call, ms }, parts: { anchor } }: Pick<Props, 'call' | 'parts'>) {
  const name = `Step ${call.step} of turn ${call.turn}`;
  return (
    <div className="call-foot faint small">
      {anchor ? <a href={`#${anchor(call)}`}>{name}</a> : <span>{name}</span>}
      {ms !== undefined && <Duration ms={ms} />}
      <details className="call-arguments">
        <summary>Arguments</summary>
        <pre tabIndex={0} role="region" aria-label="Tool arguments">
          {JSON.stringify(call.args, null, 2)}
        </pre>
      </details>
    </div>
  );
}

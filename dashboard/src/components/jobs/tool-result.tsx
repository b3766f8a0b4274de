import { useQuery } from '@tanstack/react-query';
import { diffRows } from '../../data/diff-rows.ts';
import { lineDiff } from '../../data/line-diff.ts';
import { stepQuery } from '../../data/queries.ts';
import type { ToolCall } from '../../data/steps.ts';
import type { CallState } from '../../data/work.ts';
import { unifiedRows } from '../diff/diff-lines.tsx';
import { Failed, Loading } from '../feedback/loaded.tsx';
import { Duration } from '../text/duration.tsx';
import { ResultText } from './result-text.tsx';
import type { CallParts } from './call-parts.ts';

interface Props {
  call: ToolCall;
  state: CallState;
  parts: CallParts;
}

/** What a call asked for and what came of it. */
export function ToolResult({ call, state, parts }: Props) {
  const edit = editOf(call.call.toolName, call.call.args);
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

interface Edit {
  before: string;
  after: string;
  /** Where, if the texts do not say it. */
  place?: string;
}

/** What a call changes, as its arguments say it; undefined for calls that edit no text. */
function editOf(toolName: string, args: Record<string, unknown>): Edit | undefined {
  const text = (name: string) => (typeof args[name] === 'string' ? args[name] : undefined);
  if (toolName === 'str_replace' && text('old_str') !== undefined)
    return { before: text('old_str') ?? '', after: text('new_str') ?? '' };
  if (toolName === 'create' && text('file_text') !== undefined)
    return { before: '', after: text('file_text') ?? '' };
  if (toolName === 'insert' && text('insert_text') !== undefined)
    return {
      before: '',
      after: text('insert_text') ?? '',
      place: `After line ${String(args['insert_line'])}`,
    };
  return undefined;
}

function EditDiff({ edit: { before, after, place } }: { edit: Edit }) {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').replace(/\n$/, '');
  const lines =
    before === ''
      ? plain(after)
          .split('\n')
          .map(line => `+${line}`)
      : lineDiff(plain(before), plain(after)).filter(line => after !== '' || line !== '+');
  return (
    <div className="call-lines" tabIndex={0} role="region" aria-label="Edit">
      {place && <p className="call-place faint small">{place}</p>}
      <table className="diff diff-edit">
        <tbody>{unifiedRows(diffRows(lines))}</tbody>
      </table>
    </div>
  );
}

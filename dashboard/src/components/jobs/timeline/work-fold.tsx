import type { ReactNode } from 'react';
import type { ToolCall } from '../../../data/jobs/steps.ts';
import { type CallState, stateOf } from '../../../data/jobs/work.ts';
import { Duration } from '../../text/duration.tsx';
import { Icon } from '../../text/icons.tsx';
import { plural } from '../../text/format.tsx';
import { summaryOf } from './tool-names.ts';

/** A long stretch of work in one line, its texts and calls on demand. */
export function WorkFold({ calls, children }: { calls: readonly ToolCall[]; children: ReactNode }) {
  const count = (wanted: CallState) => calls.filter(call => stateOf(call) === wanted).length;
  const ms = calls.reduce((sum, call) => sum + (call.ms ?? 0), 0);
  const [failed, notRun] = [count('failed'), count('not run')];
  return (
    <li className="work">
      <details>
        <summary>
          <Icon name="tool" size={16} />
          <span className="work-title">{summaryOf(calls)}</span>
          <span className="work-facts small">
            <span className="number">{plural(calls.length, 'call')}</span>
            {failed > 0 && <span className="call-failed">{failed} failed</span>}
            {notRun > 0 && <span>{notRun} not run</span>}
            <Duration ms={ms} />
          </span>
        </summary>
        <ol className="timeline">{children}</ol>
      </details>
    </li>
  );
}

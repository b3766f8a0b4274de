import type { StepResults } from '../../../../../api/dashboard/contract/jobs.ts';
import { Icon } from '../../text/icons.tsx';

const FINDING = /^(error|warning|suggestion): (\S+?)(?::(\d+))? (\S+): (.*)$/;
const FOUND = /^(.+?)([:-])(\d+)\2 (.*)$/;
const NUMBERED = /^ *(\d+)\t(.*)$/;
/** As many rows are drawn; the rest is plain text. */
const MAX_ROWS = 2_000;

/** The text that the model read: findings as a list, numbered lines as lines, else as it is. */
export function ResultText({
  toolName,
  text: { content, complete },
  isFailed,
}: {
  toolName: string;
  text: StepResults['results'][number];
  isFailed: boolean;
}) {
  const lines = content.split('\n');
  return (
    <>
      {toolName === 'check' && lines.some(line => FINDING.test(line)) ? (
        <Findings lines={lines} />
      ) : !isFailed && lines.length <= MAX_ROWS && lines.some(isPlaced) ? (
        <Lines lines={lines} />
      ) : (
        <pre
          className={isFailed ? 'call-failure' : ''}
          tabIndex={0}
          role="region"
          aria-label="Result"
        >
          {content === '' ? 'Empty' : content}
        </pre>
      )}
      {!complete && <p className="faint small">The rest is too long to show.</p>}
    </>
  );
}

function isPlaced(line: string): boolean {
  return NUMBERED.test(line) || FOUND.test(line);
}

function Findings({ lines }: { lines: string[] }) {
  return (
    <ul className="call-findings" aria-label="Result">
      {lines.map((line, i) => {
        const [, severity, path, at, rule, message] = FINDING.exec(line) ?? [];
        if (!severity) return <li key={i}>{line}</li>;
        return (
          <li key={i} className={`call-${severity}`}>
            <Icon name={severity === 'error' ? 'cross' : 'warning'} size={14} />
            <span>
              <span className="visually-hidden">{severity}: </span>
              <code>
                {path}
                {at === undefined ? '' : `:${at}`}
              </code>{' '}
              {message} <span className="faint">{rule}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Lines of files with their numbers, or with their places; what is between stays a line. */
function Lines({ lines }: { lines: string[] }) {
  return (
    <div className="call-lines" tabIndex={0} role="region" aria-label="Result">
      <table className="diff">
        <tbody>
          {lines.map((line, i) => {
            const [, number, own] = NUMBERED.exec(line) ?? [];
            const [, path, , at, found] = FOUND.exec(line) ?? [];
            const place = number ?? (path === undefined ? undefined : `${path}:${at}`);
            return place === undefined ? (
              <tr key={i} className="hunk">
                <td colSpan={2}>{line}</td>
              </tr>
            ) : (
              <tr key={i}>
                <td className="line-number">{place}</td>
                <td className="code">{own ?? found}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

import { plural } from '../../text/format.tsx';
import { Icon } from '../../text/icons.tsx';

/** What the checks of a turn found. */
export function Checks({
  findings,
}: {
  findings: { path: string; line: number | null; rule: string; message: string }[];
}) {
  if (findings.length === 0)
    return (
      <p className="note">
        <Icon name="check" size={16} />
        <span>Checks passed</span>
      </p>
    );
  return (
    <div className="findings">
      <p className="note">
        <Icon name="warning" size={16} />
        <span>Checks found {plural(findings.length, 'problem')}</span>
      </p>
      <ul>
        {findings.map((finding, i) => (
          <li key={i}>
            <code>
              {finding.path}
              {finding.line === null ? '' : `:${finding.line}`}
            </code>{' '}
            {finding.message} <span className="faint small">{finding.rule}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

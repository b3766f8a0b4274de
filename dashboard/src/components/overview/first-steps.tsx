import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../../api/dashboard/contract/overview.ts';
import { useProject } from '../../data/place.ts';
import { Icon } from '../text/icons.tsx';

type Steps = Overview['steps'];
const PROJECT = '/$organization/$domain';
const STEPS = [
  ['indexed', 'Index the site', PROJECT],
  ['job', 'Start a job', `${PROJECT}/jobs`],
  ['merged', 'Merge its pull request', `${PROJECT}/pulls`],
  ['question', 'Ask the assistant a question', `${PROJECT}/playground`],
  ['key', 'Create an assistant key for your site', `${PROJECT}/keys`],
  ['colleague', 'Invite a colleague', '/$organization/-/members'],
] as const satisfies readonly (readonly [keyof Steps, string, string])[];

/** The first steps of a project. Each is ticked off when it has happened; then the list goes. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const { params } = useProject();
  const done = STEPS.filter(([name]) => steps[name]).length;
  if (done === STEPS.length) return null;
  return (
    <section className="card" aria-labelledby="first-steps">
      <div className="card-head">
        <h2 id="first-steps">First steps</h2>
        <span className="small soft number">
          {done} of {STEPS.length} done
        </span>
      </div>
      <ul className="card-pad stack-tight">
        {STEPS.map(([name, text, to]) => (
          <li key={name} className="row">
            {steps[name] ? (
              <>
                <Icon name="check" size={16} />
                <span className="soft">{text}</span>
                <span className="visually-hidden">, done</span>
              </>
            ) : (
              <>
                <Icon name="dash" size={16} />
                <Link to={to} params={params}>
                  {text}
                </Link>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ConventionSuggestion } from '../../../../api/dashboard/contract/conventions.ts';
import { useProject } from '../../data/place.ts';
import { reading } from '../../data/query.ts';
import { useSend } from '../../data/queries.ts';
import { showToast } from '../../data/toasts.ts';
import { Button } from '../controls/button.tsx';
import { Form, TextField } from '../forms/form.tsx';
import { plural } from '../text/format.tsx';

/** What reviewers asked for in several jobs, to be added to AGENTS.md; nothing where there is none. */
export function SuggestedConventions() {
  const { project } = useProject();
  const { data } = useQuery(
    reading('GET /projects/:projectId/conventions', { params: { projectId: project.id } }),
  );
  if (!data || data.suggestions.length === 0) return null;
  return (
    <section className="card" aria-labelledby="conventions">
      <div className="card-head">
        <h2 id="conventions">Asked for more than once</h2>
      </div>
      <p className="card-pad soft">
        Reviewers asked for this in several jobs. As a line of AGENTS.md, every job reads it. It
        comes as a pull request.
      </p>
      <ul className="list">
        {data.suggestions.map(suggestion => (
          <li key={suggestion.id} className="card-pad stack-tight">
            <Suggested suggestion={suggestion} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Suggested({ suggestion }: { suggestion: ConventionSuggestion }) {
  const { project, params } = useProject();
  const navigate = useNavigate();
  const start = useSend('POST /projects/:projectId/conventions/:id/job', job =>
    navigate({ to: '/$organization/$domain/jobs/$jobId', params: { ...params, jobId: job.id } }),
  );
  const dismiss = useSend('DELETE /projects/:projectId/conventions/:id', () =>
    showToast({ text: 'Suggestion dismissed.' }),
  );
  const of = { params: { projectId: project.id, id: suggestion.id } };
  return (
    <>
      <Form
        busy={start.isPending}
        error={start.error ?? dismiss.error}
        submit="Add to AGENTS.md"
        onSubmit={values => start.mutate({ ...of, body: { text: values.text('text') } })}
        actions={
          <Button
            look="quiet"
            busy={dismiss.isPending}
            aria-label={`Dismiss: ${suggestion.line}`}
            onClick={() => dismiss.mutate(of)}
          >
            Dismiss
          </Button>
        }
      >
        <TextField label="Line" name="text" defaultValue={suggestion.line} required />
      </Form>
      <details>
        <summary className="small">
          {plural(suggestion.requests.length, 'request')} it comes from
        </summary>
        <ul className="small">
          {suggestion.requests.map(({ jobId, jobTitle, text, createdAt }) => (
            <li key={createdAt + jobId}>
              “{text}”{' '}
              <Link to="/$organization/$domain/jobs/$jobId" params={{ ...params, jobId }}>
                {jobTitle}
              </Link>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

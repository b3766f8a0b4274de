import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '../../../../api/dashboard/contract/projects/projects.ts';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Form, TextField } from '../forms/form.tsx';

/** Removes a project after its domain is typed to confirm. */
export function RemoveProject({ project }: { project: Project }) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  // Navigate first: this page does not exist without the project.
  const remove = useSend('DELETE /projects/:projectId', () =>
    navigate({ to: '/$organization', params: { organization: project.organization } }),
  );
  return (
    <section className="card card-pad section danger" aria-labelledby="danger">
      <h2 id="danger">Remove this project</h2>
      <div className="row-between">
        <p className="soft">
          Its assistant keys stop working, and its domain becomes available. The repository is kept.
        </p>
        <Button look="danger" onClick={() => setOpen(true)}>
          Remove …
        </Button>
      </div>
      {open && (
        <Dialog title={`Remove ${project.name}?`} onClose={() => setOpen(false)}>
          <Form
            danger
            busy={remove.isPending}
            error={remove.error}
            submit="Remove project"
            onSubmit={() => {
              if (typed === project.domain) remove.mutate({ params: { projectId: project.id } });
            }}
          >
            <TextField
              label={`Type ${project.domain} to confirm`}
              name="domain"
              value={typed}
              onChange={event => setTyped(event.target.value)}
              autoComplete="off"
              pattern={project.domain}
              title={`The project’s domain: ${project.domain}`}
              required
            />
          </Form>
        </Dialog>
      )}
    </section>
  );
}

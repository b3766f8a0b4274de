import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Question } from '../../../../api/dashboard/contract/questions.ts';
import { useProject } from '../../data/place.ts';
import { reading } from '../../data/query.ts';
import { useSend } from '../../data/queries.ts';
import { Dialog } from '../dialogs/dialog.tsx';
import { Form, TextField } from '../forms/form.tsx';

const MAX_QUERY = 200;

/** Names the page that answers a question; those that search finds for it are proposed. */
export function ResolveDialog({ question, onClose }: { question: Question; onClose: () => void }) {
  const { project } = useProject();
  const listId = useId();
  const resolve = useSend('PATCH /projects/:projectId/questions/:id', onClose);
  const found = useQuery(
    reading('GET /projects/:projectId/site/search', {
      params: { projectId: project.id },
      query: { query: question.question.slice(0, MAX_QUERY) },
    }),
  );
  const pages = new Map(found.data?.results.map(({ path, title }) => [path, title]));
  return (
    <Dialog title="Resolve by a page" onClose={onClose}>
      <p className="soft">{question.question}</p>
      <Form
        busy={resolve.isPending}
        error={resolve.error}
        submit="Resolve"
        onSubmit={values =>
          resolve.mutate({
            params: { projectId: project.id, id: question.id },
            body: { closed: true, page: values.text('page') },
          })
        }
      >
        <TextField
          label="Page"
          name="page"
          list={listId}
          placeholder="/quickstart"
          hint="The path of the page that answers it. It opens again if the assistant then still finds no answer."
          autoComplete="off"
          required
        />
        <datalist id={listId}>
          {[...pages].map(([path, title]) => (
            <option key={path} value={path}>
              {title}
            </option>
          ))}
        </datalist>
      </Form>
    </Dialog>
  );
}

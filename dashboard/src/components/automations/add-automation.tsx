import { useState } from 'react';
import { useProject } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Form, SelectField } from '../forms/form.tsx';
import { Icon } from '../text/icons.tsx';

interface ChoiceProps {
  ready: readonly { id: string; name: string }[];
  busy: boolean;
  error: Error | null;
  onChosen: (id: string) => void;
}

/** Opens a pull request with the file of a ready-made automation. */
export function AddAutomation({ ready }: Pick<ChoiceProps, 'ready'>) {
  const { project } = useProject();
  const [open, setOpen] = useState(false);
  const add = useSend('POST /projects/:projectId/automations');
  const close = () => {
    setOpen(false);
    add.reset();
  };
  const choose = (id: string) =>
    add.mutate({ params: { projectId: project.id }, body: { ready: id } });
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Icon name="plus" size={16} />
        Add automation
      </Button>
      {open && (
        <Dialog title="Add an automation" onClose={close}>
          {add.data ? (
            <p>
              <a href={add.data.prLink}>Review the pull request</a>. The automation runs once it is
              merged.
            </p>
          ) : (
            <Choice ready={ready} busy={add.isPending} error={add.error} onChosen={choose} />
          )}
        </Dialog>
      )}
    </>
  );
}

function Choice({ ready, busy, error, onChosen }: ChoiceProps) {
  return (
    <Form
      busy={busy}
      error={error}
      submit="Open pull request"
      onSubmit={values => onChosen(values.text('ready'))}
    >
      <p className="soft">
        Automations are files in the docs repository. Change the trigger and the instruction in the
        pull request.
      </p>
      <SelectField label="Automation" name="ready">
        {ready.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </Form>
  );
}

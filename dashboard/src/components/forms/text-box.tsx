import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId, useRef, useState } from 'react';
import { FormValues } from '../../data/form-values.ts';
import { useProject, useSession } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';

interface BoxProps {
  label: string;
  placeholder: string;
  submit: string;
  busy: boolean;
  error: Error | null;
  /** Resolves once it is sent; the text is kept where that fails. */
  onSubmit: (text: string, values: FormValues) => Promise<unknown>;
  hint?: ReactNode;
  children?: ReactNode;
}

/** A text to send: the button, or Ctrl and Enter. */
export function TextBox({
  label,
  placeholder,
  submit,
  busy,
  error,
  onSubmit,
  hint,
  children,
}: BoxProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState('');
  const send = () => {
    if (busy || !form.current || text.trim() === '') return;
    onSubmit(text.trim(), new FormValues(new FormData(form.current))).then(
      () => setText(''),
      () => undefined,
    );
  };
  return (
    <form
      ref={form}
      className="composer"
      onSubmit={event => {
        event.preventDefault();
        send();
      }}
    >
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <textarea
        id={id}
        name="prompt"
        rows={3}
        placeholder={placeholder}
        value={text}
        maxLength={100_000}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            send();
          }
        }}
      />
      {error && <Notice tone="bad">{error.message}</Notice>}
      <div className="row-between composer-foot">
        <div className="row">
          {children}
          {hint && <span className="small faint">{hint}</span>}
        </div>
        <Button type="submit" look="primary" busy={busy} disabled={text.trim() === ''}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** Starts a job and goes to its page. */
export function NewJobBox() {
  const { project, params } = useProject();
  const { offlineModel } = useSession();
  const navigate = useNavigate();
  const create = useSend('POST /projects/:projectId/jobs');
  const start = async (prompt: string, values: FormValues) => {
    const branch = values.text('branch');
    const job = await create.mutateAsync({
      params: { projectId: project.id },
      body: {
        prompt,
        asDraft: values.checked('asDraft'),
        ...(branch && { branch }),
        ...(values.text('model') === 'opus' && { model: 'opus' }),
      },
    });
    await navigate({
      to: '/$organization/$domain/jobs/$jobId',
      params: { ...params, jobId: job.id },
    });
  };
  return (
    <TextBox
      label="Instruction for the agent"
      submit="Start job"
      busy={create.isPending}
      error={create.error}
      onSubmit={start}
      placeholder={
        offlineModel
          ? 'Add a page docs/operate/tips.md titled "Tips" with the text "Start small."'
          : 'Tell the agent what to change in the docs …'
      }
    >
      <details className="options">
        <summary>Options</summary>
        <div className="options-body">
          <label className="row">
            Branch{' '}
            <input
              className="input"
              name="branch"
              placeholder="made from the instruction"
              maxLength={200}
            />
          </label>
          {!offlineModel && (
            <label className="row">
              Model{' '}
              <select className="input" name="model">
                <option value="">default</option>
                <option value="opus">opus</option>
              </select>
            </label>
          )}
          <label className="row">
            <input type="checkbox" name="asDraft" /> Open the pull request as a draft
          </label>
        </div>
      </details>
      {offlineModel && <span className="small faint">Offline model: mechanical edits only.</span>}
    </TextBox>
  );
}

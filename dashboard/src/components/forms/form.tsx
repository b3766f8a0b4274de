import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { FormValues } from '../../data/form-values.ts';
import { RequestError } from '../../data/request.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { useBlocker } from '@tanstack/react-router';
import { Dialog } from '../dialogs/dialog.tsx';

const FieldErrors = createContext<Record<string, string>>({});

interface FormProps {
  /** Gets the form's values by field name. */
  onSubmit: (values: FormValues) => void;
  busy: boolean;
  error: Error | null;
  submit: string;
  danger?: boolean;
  /** The message after a submission succeeded, until an input changes. */
  done?: string | false;
  /** Asks before unsaved changes are left behind. */
  guarded?: boolean;
  /** Beside the button. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The server checks the values. Its error is shown at the field it names, or above the button. */
export function Form({
  onSubmit,
  busy,
  error,
  submit,
  danger = false,
  done = false,
  guarded = false,
  actions,
  children,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { before, sent } = useSaved(form, done !== false);
  const [isChanged, setChanged] = useState(false);
  const fields = error instanceof RequestError ? error.fields : {};
  useEffect(() => {
    if (!error) return;
    setChanged(true); // still not saved
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const shown = Object.keys(fields).some(name => form.current?.elements.namedItem(name));
  return (
    <form
      ref={form}
      className="form"
      onInput={() => setChanged(true)}
      onSubmit={event => {
        event.preventDefault();
        setChanged(false);
        if (busy) return;
        sent.current = new FormData(event.currentTarget);
        onSubmit(new FormValues(sent.current, before.current));
      }}
    >
      {guarded && <UnsavedGuard isChanged={isChanged} />}
      <FieldErrors value={fields}>{children}</FieldErrors>
      {done && !isChanged && <Notice tone="good">{done}</Notice>}
      {error && !shown && <Notice tone="bad">{error.message}</Notice>}
      <div className="form-actions">
        <Button type="submit" look={danger ? 'danger-fill' : 'primary'} busy={busy}>
          {submit}
        </Button>
        {actions}
      </div>
    </form>
  );
}

/** What was shown first, or was saved last, and what is being saved. */
function useSaved(form: RefObject<HTMLFormElement | null>, isSaved: boolean) {
  const before = useRef<FormData>(undefined);
  const sent = useRef<FormData>(undefined);
  useEffect(() => {
    if (isSaved) before.current = sent.current;
    else before.current ??= new FormData(form.current ?? undefined);
  }, [form, isSaved]);
  return { before, sent };
}

interface FieldProps {
  label: string;
  name: string;
  hint?: ReactNode;
}

function useField({ name, hint }: FieldProps) {
  const id = useId();
  const wrong = use(FieldErrors)[name];
  const described = wrong ? `${id}-wrong` : hint && `${id}-hint`;
  return {
    id,
    wrong,
    control: {
      id,
      name,
      'aria-invalid': Boolean(wrong),
      ...(described && { 'aria-describedby': described }),
      className: 'input',
    },
  };
}

function Around({
  field,
  label,
  hint,
  children,
}: Pick<FieldProps, 'label' | 'hint'> & {
  field: { id: string; wrong: string | undefined };
  children: ReactNode;
}) {
  return (
    <div className="field">
      <label htmlFor={field.id}>{label}</label>
      {children}
      {field.wrong ? (
        <span className="wrong" id={`${field.id}-wrong`}>
          {field.wrong}
        </span>
      ) : (
        hint && (
          <span className="hint" id={`${field.id}-hint`}>
            {hint}
          </span>
        )
      )}
    </div>
  );
}

export function TextField({
  label,
  name,
  hint,
  ...rest
}: FieldProps & Omit<ComponentProps<'input'>, 'name'>) {
  const field = useField({ label, name, hint });
  return (
    <Around field={field} label={label} hint={hint}>
      <input {...rest} {...field.control} />
    </Around>
  );
}

export function TextArea({
  label,
  name,
  hint,
  ...rest
}: FieldProps & Omit<ComponentProps<'textarea'>, 'name'>) {
  const field = useField({ label, name, hint });
  return (
    <Around field={field} label={label} hint={hint}>
      <textarea {...rest} {...field.control} />
    </Around>
  );
}

export function SelectField({
  label,
  name,
  hint,
  children,
  ...rest
}: FieldProps & Omit<ComponentProps<'select'>, 'name'>) {
  const field = useField({ label, name, hint });
  return (
    <Around field={field} label={label} hint={hint}>
      <select {...rest} {...field.control}>
        {children}
      </select>
    </Around>
  );
}

export function CheckField({
  label,
  name,
  hint,
  ...rest
}: FieldProps & Omit<ComponentProps<'input'>, 'name' | 'type'>) {
  const {
    control: { className: _, ...control },
  } = useField({ label, name, hint });
  return (
    <div className="check">
      <input type="checkbox" {...rest} {...control} />
      <div className="field">
        <label htmlFor={control.id}>{label}</label>
        {hint && (
          <span className="hint" id={`${control.id}-hint`}>
            {hint}
          </span>
        )}
      </div>
    </div>
  );
}

/** Asks before a page with unsaved changes is left; on reload, the browser asks. */
function UnsavedGuard({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog title="Leave without saving?" onClose={blocker.reset}>
      <p>Your changes on this page are not saved.</p>
      <div className="form-actions">
        <Button look="danger-fill" onClick={blocker.proceed}>
          Leave
        </Button>
        <Button onClick={blocker.reset}>Stay</Button>
      </div>
    </Dialog>
  );
}

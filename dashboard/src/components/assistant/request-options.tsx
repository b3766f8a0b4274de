import { type ReactNode, useId } from 'react';

/** Options that a site can send with a question. */
export interface RequestOptions {
  currentPath: string;
  context: string;
  version: string;
  language: string;
  groups: string;
  retrievalPageSize: string;
}

export const noOptions: RequestOptions = {
  currentPath: '',
  context: '',
  version: '',
  language: '',
  groups: '',
  retrievalPageSize: '',
};

/** The members of the request's body, without empty ones. */
export function optionsBody({
  currentPath,
  context,
  version,
  language,
  groups,
  retrievalPageSize,
}: RequestOptions): Record<string, unknown> {
  const names = groups
    .split(',')
    .map(name => name.trim())
    .filter(Boolean);
  const filter = {
    ...(version && { version }),
    ...(language && { language }),
    ...(names.length > 0 && { groups: names }),
  };
  return {
    ...(currentPath && { currentPath }),
    ...(context && {
      context: [
        { type: 'textSelection', value: context, ...(currentPath && { path: currentPath }) },
      ],
    }),
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(retrievalPageSize && { retrievalPageSize: Number(retrievalPageSize) }),
  };
}

const FILTERS = [
  ['version', 'Version filter', ''],
  ['language', 'Language filter', 'en'],
  ['groups', 'Groups filter (comma-separated)', ''],
] as const;

/** The options apply from the next question on. */
export function RequestOptionsForm({
  value,
  onChange,
}: {
  value: RequestOptions;
  onChange: (value: RequestOptions) => void;
}) {
  const bind = (name: keyof RequestOptions, id: string) => ({
    id,
    className: 'input',
    value: value[name],
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...value, [name]: event.target.value }),
  });
  return (
    <div className="card card-pad section">
      <h2>Request options</h2>
      <Field label="Current page (currentPath)">
        {id => <input {...bind('currentPath', id)} placeholder="/getting-started" />}
      </Field>
      <Field label="Selected text (context)">
        {id => <textarea {...bind('context', id)} rows={3} />}
      </Field>
      {FILTERS.map(([name, label, placeholder]) => (
        <Field key={name} label={label}>
          {id => <input {...bind(name, id)} placeholder={placeholder} />}
        </Field>
      ))}
      <Field label="Number of results (retrievalPageSize)">
        {id => (
          <input
            {...bind('retrievalPageSize', id)}
            type="number"
            min={1}
            max={50}
            placeholder="5"
          />
        )}
      </Field>
    </div>
  );
}

function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id} className="small">
        {label}
      </label>
      {children(id)}
    </div>
  );
}

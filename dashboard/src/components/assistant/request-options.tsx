import type { ReactNode } from 'react';
import { useId } from 'react';

/** What a site may send along with a question. */
export interface Trial {
  currentPath: string;
  context: string;
  version: string;
  language: string;
  groups: string;
  retrievalPageSize: string;
}

export const emptyTrial: Trial = {
  currentPath: '',
  context: '',
  version: '',
  language: '',
  groups: '',
  retrievalPageSize: '',
};

/** The members of the request's body; what is empty is left out. */
export function trialBody({
  currentPath,
  context,
  version,
  language,
  groups,
  retrievalPageSize,
}: Trial): Record<string, unknown> {
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

/** They take effect with the next question. */
export function TrialForm({ value, onChange }: { value: Trial; onChange: (value: Trial) => void }) {
  const bind = (name: keyof Trial) => ({
    value: value[name],
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...value, [name]: event.target.value }),
  });
  return (
    <div className="card card-pad section">
      <h2>Request</h2>
      <Field label="Current page (currentPath)">
        {id => (
          <input
            id={id}
            className="input"
            placeholder="/getting-started"
            {...bind('currentPath')}
          />
        )}
      </Field>
      <Field label="Selected text (context)">
        {id => <textarea id={id} className="input" rows={3} {...bind('context')} />}
      </Field>
      <Field label="Version (filter)">
        {id => <input id={id} className="input" {...bind('version')} />}
      </Field>
      <Field label="Language (filter)">
        {id => <input id={id} className="input" placeholder="en" {...bind('language')} />}
      </Field>
      <Field label="Groups (filter), by commas">
        {id => <input id={id} className="input" {...bind('groups')} />}
      </Field>
      <Field label="Pages (retrievalPageSize)">
        {id => (
          <input
            id={id}
            className="input"
            type="number"
            min={1}
            max={50}
            placeholder="5"
            {...bind('retrievalPageSize')}
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

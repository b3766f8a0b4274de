import { useState } from 'react';
import type { ProjectPreview } from '../../../../api/dashboard/contract/projects/preview.ts';
import { TextField } from '../forms/form.tsx';
import { domainOf } from '../../../../api/dashboard/contract/projects/proposed-names.ts';

interface Names {
  name: string;
  /** Null: it follows the name, until a person changes it. */
  domain: string | null;
  /** What the name proposes, if that is taken. */
  freeDomain: string | null;
  change: (names: Partial<Pick<Names, 'name' | 'domain'>>) => void;
  /** Fills in what a person left open. */
  propose: (found: ProjectPreview) => void;
}

/** Name and domain of a new project, as typed and proposed. */
export function useNames(): Names {
  const [names, setNames] = useState({
    name: '',
    domain: null as string | null,
    freeDomain: null as string | null,
  });
  return {
    ...names,
    change: change => setNames(now => ({ ...now, freeDomain: null, ...change })),
    propose: ({ name, domain }) =>
      setNames(now => ({ ...now, name: now.name || (name ?? ''), freeDomain: domain })),
  };
}

export function NameFields({ name, domain, freeDomain, change }: Names) {
  return (
    <>
      <TextField
        label="Name"
        name="name"
        required
        placeholder="Acme docs"
        value={name}
        onChange={event => change({ name: event.target.value })}
      />
      <TextField
        label="Domain"
        name="domain"
        required
        placeholder="acme"
        value={domain ?? freeDomain ?? domainOf(name)}
        onChange={event => change({ domain: event.target.value || null })}
        hint={
          'The site’s subdomain: lowercase letters, digits and dashes. Also the last part of ' +
          'the project’s address.'
        }
      />
    </>
  );
}

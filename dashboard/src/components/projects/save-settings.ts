import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Project } from '../../../../api/dashboard/contract/projects/projects.ts';
import type { FormValues } from '../../data/form-values.ts';
import { projectQuery } from '../../data/queries.ts';
import { call, type Input } from '../../data/request.ts';
import { effortIn } from '../jobs/efforts.ts';
import { brakesIn } from './brake-fields.tsx';
import { contextIn } from './context-field.tsx';
import { siteKindIn } from './site-kinds.ts';

type Body = Input<'PATCH /projects/:projectId'>['body'];

/** Saves settings. It tells the person once if someone else has saved one of the same settings meanwhile. */
export function useSave(project: Project) {
  const client = useQueryClient();
  const seen = useRef(project);
  return useMutation({
    async mutationFn(body: Body) {
      const query = projectQuery(project.id);
      const now = await client.fetchQuery({ ...query, staleTime: 0 });
      const names = Object.keys(body) as (keyof Project & keyof Body)[];
      const both = names.filter(name => !isSame(now[name], seen.current[name]));
      seen.current = now;
      if (both.length > 0)
        throw new Error(
          `Someone else changed ${both.map(labelOf).join(', ')} meanwhile. ` +
            'Save again to replace that, or reload the page to see it.',
        );
      seen.current = await call('PATCH /projects/:projectId', {
        params: { projectId: project.id },
        body,
      });
    },
    onSuccess: () => client.invalidateQueries(),
  });
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What the form calls a setting. */
function labelOf(name: string): string {
  const field = document.querySelector<HTMLInputElement>(`form [name="${name}"]`);
  return field?.labels?.[0]?.textContent ?? name;
}

/** Fields that a setting is made of, where it is not called as they are. */
const FIELDS: Partial<Record<string, string[]>> = {
  docsFolder: ['docsFolder', 'docsFolderDetected'],
};

export function changesIn(values: FormValues): Body {
  const all: Body = {
    name: values.text('name'),
    baseRef: values.text('baseRef'),
    docsFolder: values.checked('docsFolderDetected') ? null : values.text('docsFolder'),
    siteKind: siteKindIn(values.text('siteKind')) ?? null,
    basePath: values.optional('basePath') ?? null,
    siteUrl: values.optional('siteUrl') ?? null,
    allowMdxCode: values.checked('allowMdxCode'),
    allowPaths: wordsOf(values.text('allowPaths')),
    commitAuthor: values.optional('commitAuthor') ?? null,
    signOff: values.checked('signOff'),
    webPages: wordsOf(values.text('webPages')),
    effort: effortIn(values.text('effort')) ?? null,
    ...brakesIn(values),
    contextRepositories: contextIn(values.text('contextRepositories')),
    public: values.checked('public'),
  };
  const changed = Object.entries(all).filter(([name]) =>
    values.changed(...(FIELDS[name] ?? [name])),
  );
  return Object.fromEntries(changed);
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

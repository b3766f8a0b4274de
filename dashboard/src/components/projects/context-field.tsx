import type { Project } from '../../../../api/dashboard/contract/projects/projects.ts';
import { TextArea } from '../forms/form.tsx';

/** Repositories that jobs can read beside the docs. */
export function ContextField({ stored = [] }: { stored?: Project['contextRepositories'] }) {
  return (
    <TextArea
      label="Context repositories"
      name="contextRepositories"
      defaultValue={stored.map(contextLine).join('\n')}
      rows={2}
      hint={
        'Jobs can read these repositories too, such as acme/api@main, one per line. ' +
        'They never change them.'
      }
    />
  );
}

function contextLine({ repository, ref }: Project['contextRepositories'][number]): string {
  return `${repository}@${ref}`;
}

/** Lines such as `acme/api@main`; without a branch it is the default one. */
export function contextIn(text: string) {
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(line => {
      const [, repository = line, ref] = /^(.+?)@([^@:]+)$/.exec(line) ?? [];
      return ref === undefined ? { repository } : { repository, ref };
    });
}

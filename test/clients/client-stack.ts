import { createKey } from '../../db/projects/keys.ts';
import { indexPages } from '../../search/indexing/build-index.ts';
import { type JobStack, startJobStack, type JobStackOptions } from '../support/job-stack.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';

/** A Docent whose docs are indexed, with keys of both kinds, under their names in `demo.env`. */
export async function startClientStack(
  options: JobStackOptions & { files: Record<string, string> },
): Promise<{ stack: JobStack; names: ClientNames }> {
  const stack = await startJobStack(options);
  const { id, organizationId, domain } = stack.project;
  const snapshot = memorySnapshot(options.files);
  await indexPages(stack.pool, id, { snapshot, docsFolder: 'docs' });
  const key = await createKey(stack.pool, {
    ...{ organizationId, projectId: id, kind: 'assistant', name: 'test' },
  });
  const names = {
    BASE_URL: stack.baseUrl,
    PROJECT_ID: id,
    DOMAIN: domain,
    ADMIN_KEY: stack.adminKey,
    ASSISTANT_KEY: key.token,
  };
  return { stack, names };
}

export type ClientNames = Record<
  'BASE_URL' | 'PROJECT_ID' | 'DOMAIN' | 'ADMIN_KEY' | 'ASSISTANT_KEY',
  string
>;

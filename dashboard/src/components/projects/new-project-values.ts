import type {
  NewProject,
  RepositoryList,
} from '../../../../api/dashboard/contract/projects/projects.ts';
import type { UploadedFile } from '../../../../api/dashboard/contract/projects/uploaded-file.ts';
import type { FormValues } from '../../data/form-values.ts';
import { contextIn } from './context-field.tsx';
import { siteKindIn } from './site-kinds.ts';

interface Repository {
  /** The host that has the repository; undefined: the built-in host. */
  host: RepositoryList['hosts'][number] | undefined;
  /** The repository chosen from the host's list. */
  chosen: string | null;
  /** The files of the chosen folder. */
  files: UploadedFile[];
}

/** The body that creates a project, from the form's values. */
export function newProject(
  values: FormValues,
  source: NewProject['source']['type'],
  { host, chosen, files }: Repository,
): NewProject {
  const hasList = host?.hasConnectPage ?? false;
  return {
    name: values.text('name'),
    domain: values.text('domain'),
    public: values.checked('public'),
    source: sourceIn(values, source, hasList ? (chosen ?? '') : values.text('source'), files),
    ...optional(values, ['baseRef', 'siteUrl', 'basePath'] as const),
    ...siteKind(values),
    ...docsFolder(values, hasList),
    contextRepositories: contextIn(values.text('contextRepositories')),
  };
}

function sourceIn(
  values: FormValues,
  type: NewProject['source']['type'],
  repository: string,
  files: UploadedFile[],
): NewProject['source'] {
  if (type === 'import') return { type: 'import', url: values.text('source') };
  if (type === 'upload') return { type: 'upload', files };
  return { type, repository };
}

/**
 * If a folder was proposed beside a branch, an empty field means the repository's root. Otherwise
 * the folder is detected.
 */
function docsFolder(values: FormValues, isInspected: boolean): { docsFolder?: string } {
  const proposed = isInspected && values.optional('baseRef') !== undefined;
  return proposed
    ? { docsFolder: values.text('docsFolder') }
    : optional(values, ['docsFolder'] as const);
}

function siteKind(values: FormValues): Pick<NewProject, 'siteKind'> {
  const kind = siteKindIn(values.text('siteKind'));
  return kind === undefined ? {} : { siteKind: kind };
}

function optional<K extends string>(
  values: FormValues,
  names: readonly K[],
): { [N in K]?: string } {
  return Object.fromEntries(
    names.map(name => [name, values.optional(name)]).filter(([, value]) => value !== undefined),
  ) as { [N in K]?: string };
}

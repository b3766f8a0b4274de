import type { Project } from '../../../../api/dashboard/contract/projects/projects.ts';
import { effortIn } from '../jobs/efforts.ts';
import { useSession } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { Copyable } from '../controls/copy.tsx';
import { CheckField, Form, SelectField, TextArea, TextField } from '../forms/form.tsx';
import { EffortOptions } from '../jobs/effort-options.tsx';
import { AuthorFields } from './author-fields.tsx';
import { BrakeFacts, BrakeFields, brakesIn } from './brake-fields.tsx';
import { ContextField, contextIn, contextLine } from './context-field.tsx';
import { SiteKindFields } from './site-fields.tsx';
import { siteKindIn } from './site-kinds.ts';

/** For owners: the settings of a project, to edit. */
export function ProjectSettingsForm({ project }: { project: Project }) {
  const change = useSend('PATCH /projects/:projectId');
  const { effortModels } = useSession();
  return (
    <>
      <dl className="facts">
        <FixedFacts project={project} />
      </dl>
      <Form
        guarded
        busy={change.isPending}
        error={change.error}
        submit="Save"
        done={change.isSuccess && 'Saved.'}
        onSubmit={values =>
          change.mutate({
            params: { projectId: project.id },
            body: {
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
              ...(effortModels.length > 0 && {
                effort: effortIn(values.text('effort')) ?? null,
              }),
              ...brakesIn(values),
              contextRepositories: contextIn(values.text('contextRepositories')),
              ...(project.isCopy && { public: values.checked('public') }),
            },
          })
        }
      >
        <SourceFields project={project} />
        {project.isCopy && <PublicField project={project} />}
        <PolicyFields project={project} />
        <AuthorFields project={project} />
        <BrakeFields project={project} />
        {effortModels.length > 0 && <EffortField project={project} />}
        <ContextField stored={project.contextRepositories} />
      </Form>
    </>
  );
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

function PublicField({ project }: { project: Project }) {
  return (
    <CheckField
      label="Public"
      name="public"
      defaultChecked={project.public}
      hint="Anyone can read the docs: a copy on the built-in host needs no key."
    />
  );
}

function EffortField({ project }: { project: Project }) {
  return (
    <SelectField
      label="Effort"
      name="effort"
      defaultValue={project.effort ?? ''}
      hint="How much the model of a job may think. A job can set its own."
    >
      <EffortOptions unset="as the model or the installation is set" />
    </SelectField>
  );
}

/** What jobs can write beyond plain pages. */
function PolicyFields({ project }: { project: Project }) {
  return (
    <>
      <CheckField
        label="Code in pages"
        name="allowMdxCode"
        defaultChecked={project.allowMdxCode}
        hint={
          'Jobs can add imports, expressions, scripts and embeds to pages. ' +
          'Such code runs in your readers’ browsers and wherever the site is built.'
        }
      />
      <TextArea
        label="Other files"
        name="allowPaths"
        defaultValue={project.allowPaths.join('\n')}
        rows={2}
        hint={
          'Jobs write pages, images and the navigation. To let them write other files, enter ' +
          'globs such as docs/data/*.json, one per line. A build may run what is in them.'
        }
      />
      <TextArea
        label="Web pages"
        name="webPages"
        defaultValue={project.webPages.join('\n')}
        rows={2}
        hint={
          'Jobs can read these pages of the web: hosts such as example.com, or addresses that ' +
          'theirs begin with, such as https://example.com/docs, one per line.'
        }
      />
    </>
  );
}

function SourceFields({ project }: { project: Project }) {
  return (
    <>
      <TextField label="Name" name="name" defaultValue={project.name} required />
      <div className="form-columns">
        <TextField
          label="Base branch"
          name="baseRef"
          defaultValue={project.baseRef}
          required
          hint="Pull requests target this branch, and the index follows it."
        />
        <TextField
          label="Docs folder"
          name="docsFolder"
          key={project.docsFolder}
          defaultValue={project.docsFolder}
          placeholder="the repository’s root"
          hint="The agent can edit only this folder."
        />
      </div>
      <CheckField
        label="Detect the docs folder"
        name="docsFolderDetected"
        defaultChecked={project.docsFolderDetected}
        hint="Each indexing finds it by the site’s files."
      />
      <SiteKindFields siteKind={project.siteKind} basePath={project.basePath} />
      <TextField
        label="Site address"
        name="siteUrl"
        type="url"
        defaultValue={project.siteUrl ?? ''}
        placeholder="https://docs.example.com"
        hint="Base URL of links to pages. If empty, links are relative."
      />
    </>
  );
}

/** For everyone else: the same settings, to read. */
export function ProjectFacts({ project }: { project: Project }) {
  const { siteKinds } = useSession();
  return (
    <dl className="facts">
      <FixedFacts project={project} />
      <dt>Base branch</dt>
      <dd>
        <code>{project.baseRef}</code>
      </dd>
      <dt>Docs folder</dt>
      <dd>
        <code>{project.docsFolder || '/'}</code>
      </dd>
      <dt>Site kind</dt>
      <dd>
        {siteKinds.find(({ name }) => name === project.siteKind)?.title ?? 'detected automatically'}
      </dd>
      <dt>Base path</dt>
      <dd>{project.basePath ?? 'as the site is configured'}</dd>
      <dt>Site address</dt>
      <dd>{project.siteUrl ?? 'not set: links are relative'}</dd>
      <dt>Code in pages</dt>
      <dd>{project.allowMdxCode ? 'jobs can add it' : 'jobs cannot add it'}</dd>
      <dt>Other files</dt>
      <dd>{project.allowPaths.join(', ') || 'jobs cannot write any'}</dd>
      <dt>Web pages</dt>
      <dd>{project.webPages.join(', ') || 'jobs cannot read any'}</dd>
      <dt>Commit author</dt>
      <dd>
        {project.commitAuthor ?? 'Docent'}
        {project.signOff && ', signed off'}
      </dd>
      <BrakeFacts project={project} />
      <dt>Effort</dt>
      <dd>{project.effort ?? 'as the model or the installation is set'}</dd>
      <dt>Context repositories</dt>
      <dd>{project.contextRepositories.map(contextLine).join(', ') || 'none'}</dd>
      {project.isCopy && (
        <>
          <dt>Public</dt>
          <dd>{project.public ? 'yes' : 'no'}</dd>
        </>
      )}
    </dl>
  );
}

function FixedFacts({ project }: { project: Project }) {
  return (
    <>
      <dt>Project ID</dt>
      <dd>
        <Copyable text={project.id} what="project ID" />
      </dd>
      <dt>Domain</dt>
      <dd>{project.domain}</dd>
      <dt>Repository</dt>
      <dd>
        <Copyable text={project.repositoryUrl} what="repository" />
      </dd>
    </>
  );
}

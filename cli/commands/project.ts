import { type Command, Option } from 'commander';
import { OPERATOR, recordAudit } from '../../shared/db/audit/audit-log.ts';
import {
  deleteProject,
  listProjects,
  type ProjectChange as ProjectSettings,
  updateProject,
} from '../../shared/db/projects/projects.ts';
import { ProjectChange } from '../../shared/dashboard/projects.ts';
import { type Pool, transaction } from '../../shared/db/pool.ts';
import { SITE_KINDS, type SiteKindName } from '../../shared/site/kinds/site-kind.ts';
import { type ConnectedConfig, type Env, withDatabase } from '../connect/settings.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { print, printTable } from '../output/terminal.ts';
import { addProject, type AddOptions } from '../project/add-project.ts';
import { indexShown } from '../project/index-shown.ts';
import { requestIndexing, endIndexing } from '../project/indexing.ts';
import { findProjectByName, organizationNamed } from '../project/lookup.ts';
import { type Located, trimmedFolder } from '../project/repository.ts';
import { checkFlag, type ForOrganization, ORGANIZATION } from './flags.ts';

/** `docent project …`: projects, directly in the database. */
export function registerProject(program: Command, env: Env): void {
  const project = program.command('project').description('add, list and remove projects');
  registerAdd(project, env);
  registerList(project, env);
  registerSet(project, env);

  project
    .command('show <project>')
    .description('show a project, by id or domain')
    .addOption(ORGANIZATION)
    .action(async (name: string, options: ForOrganization) => {
      await withDatabase(env, async (pool, config) => {
        const owner = await organizationNamed(pool, options.organization);
        const found = await findProjectByName(pool, owner.id, name);
        print(JSON.stringify({ ...found, index: await indexShown(pool, config, found) }, null, 2));
      });
    });

  project
    .command('delete <project>')
    .description('remove a project and revoke its assistant keys; its repository stays')
    .addOption(ORGANIZATION)
    .action(async (name: string, options: ForOrganization) => {
      await withDatabase(env, async (pool, config) => {
        const owner = await organizationNamed(pool, options.organization);
        const found = await findProjectByName(pool, owner.id, name);
        await transaction(pool, async tx => {
          await deleteProject(tx, owner.id, found.id);
          await recordAudit(tx, owner.id, {
            action: 'project.deleted',
            actor: OPERATOR,
            subject: { kind: 'project', id: found.id, name: found.domain },
          });
        });
        // A leftover schedule finds no project and does nothing.
        await endIndexing(config, found.id).catch(() => undefined);
        print(`${found.id} is removed.`);
      });
    });
}

function registerAdd(project: Command, env: Env): void {
  project
    .command('add <name>')
    .description('create a project from a docs repository')
    .addOption(ORGANIZATION)
    .requiredOption(
      '--repository <source>',
      'a local path or a URL, copied into the built-in host unless it is on a configured GitHub; ' +
        'or the name of a repository in the built-in host',
    )
    .option('--domain <subdomain>', "the site's subdomain (default: from the name)")
    .option('--docs-folder <path>', 'folder that contains the pages (default: detected)')
    .option('--base-ref <branch>', "target of pull requests (default: the repository's default)")
    .option('--site-url <url>', "the site's URL, for links to pages")
    .action(async (name: string, options: AddOptions) => {
      await withDatabase(env, async (pool, config) => {
        const { added, located } = await addProject(pool, config, name, options);
        await requestIndexing(config, added).catch(() =>
          console.error(
            'Temporal does not answer, so the site is not indexed yet. ' +
              `Run "docent index ${added.domain}" later.`,
          ),
        );
        print(`${added.id}  ${added.domain}  ${added.repositoryUrl}`);
        if (located.pages !== undefined) printPages(located.pages, located);
        print(
          'Keys: ./bin/docent.mjs key create --kind admin; ' +
            `./bin/docent.mjs key create --kind assistant --project ${added.domain}`,
        );
      });
    });
}

function registerList(project: Command, env: Env): void {
  project
    .command('list')
    .description('list projects')
    .addOption(ORGANIZATION)
    .action(async (options: ForOrganization) => {
      await withDatabase(env, async pool => {
        const owner = await organizationNamed(pool, options.organization);
        printTable(
          ['id', 'domain', 'name', 'repository'],
          (await listProjects(pool, owner.id)).map(each => [
            each.id,
            each.domain,
            each.name,
            each.repositoryUrl,
          ]),
        );
      });
    });
}

interface SetOptions extends ForOrganization {
  allowMdxCode?: 'yes' | 'no';
  kind?: SiteKindName | 'detect';
  docsFolder?: string;
  siteUrl?: string;
}

function registerSet(project: Command, env: Env): void {
  project
    .command('set <project>')
    .description('change what a project allows, and how its site is read')
    .addOption(ORGANIZATION)
    .addOption(
      new Option(
        '--allow-mdx-code <yes|no>',
        'let jobs add imports, expressions, scripts and embeds to pages',
      ).choices(['yes', 'no']),
    )
    .addOption(
      new Option('--kind <kind>', 'what builds the site; "detect" finds it by its files').choices([
        ...SITE_KINDS,
        'detect',
      ]),
    )
    .option('--docs-folder <path>', 'folder that contains the pages; . is the root')
    .option('--site-url <url>', "the site's URL, for links to pages; none: relative links")
    .action(async (name: string, options: SetOptions) => {
      await withDatabase(env, (pool, config) => setProject(pool, config, name, options));
    });
}

async function setProject(
  pool: Pool,
  config: ConnectedConfig,
  name: string,
  { organization, allowMdxCode, kind, docsFolder, siteUrl }: SetOptions,
): Promise<void> {
  if ([allowMdxCode, kind, docsFolder, siteUrl].every(option => option === undefined))
    throw new CommandFailure(
      'Nothing to change: pass at least one option; see --help.',
      EXIT.usage,
    );
  const url = siteUrl === 'none' ? null : siteUrl?.replace(/\/+$/, '');
  if (url !== null) checkFlag('--site-url', ProjectChange.properties.siteUrl, url);
  const owner = await organizationNamed(pool, organization);
  const found = await findProjectByName(pool, owner.id, name);
  const wanted: ProjectSettings = {
    ...(allowMdxCode && { settings: { allowMdxCode: allowMdxCode === 'yes' } }),
    ...(kind && { siteKind: kind === 'detect' ? null : kind }),
    ...(docsFolder !== undefined && { docsFolder: trimmedFolder(docsFolder) }),
    ...(url !== undefined && { siteUrl: url }),
  };
  const changed = await transaction(pool, async tx => {
    await recordAudit(tx, owner.id, {
      action: 'project.changed',
      actor: OPERATOR,
      subject: { kind: 'project', id: found.id, name: found.domain },
      details: { ...wanted },
    });
    return updateProject(tx, found.id, wanted);
  });
  if (allowMdxCode) print(`${found.id}  ${JSON.stringify(changed.settings)}`);
  const { siteKind, docsFolder: folder } = changed;
  if (kind ?? docsFolder ?? siteUrl)
    print(
      `${found.id}  kind: ${siteKind ?? 'detected'}  docs folder: ${folder || 'the root'}  ` +
        `site: ${changed.siteUrl ?? 'relative links'}`,
    );
  if (kind !== undefined || docsFolder !== undefined)
    await requestIndexing(config, found).catch(() =>
      console.error(`Temporal does not answer. Run "docent index ${found.domain}" later.`),
    );
}

function printPages(pages: number, { docsFolder, baseRef }: Located): void {
  const place = `${docsFolder === '' ? 'the root' : docsFolder} of branch ${baseRef}`;
  if (pages > 0) print(`${pages} ${pages === 1 ? 'page' : 'pages'} in ${place}`);
  else
    console.error(
      `There is no page (.md, .mdx) in ${place}, so the assistant cannot answer anything. ` +
        "If the pages are elsewhere, change the docs folder in the project's dashboard settings.",
    );
}

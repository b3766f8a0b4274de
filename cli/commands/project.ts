import { type Command, Option } from 'commander';
import { OPERATOR, recordAudit } from '../../db/audit/audit-log.ts';
import { transaction, type Pool } from '../../db/pool.ts';
import { deleteProject, listProjects } from '../../db/projects/projects.ts';
import { SITE_KINDS } from '../../sites/kinds/registry.ts';
import { type Env, withDatabase, type ConnectedConfig } from '../connect/settings.ts';
import { print, printTable } from '../output/terminal.ts';
import { registerProjectSet } from './project-set.ts';
import { addProject, type AddOptions } from '../project/add-project.ts';
import { endIndexing } from '../project/indexing.ts';
import { findProjectByName, organizationNamed } from '../project/lookup.ts';
import { indexAndShow } from '../project/site-shown.ts';
import { type ForOrganization, ORGANIZATION } from './flags.ts';
import { indexState, lastIndexRun } from '../../search/indexing/last-index-run.ts';
import { openTemporal } from '../connect/temporal.ts';

/** `docent project …`: projects, directly in the database. */
export function registerProject(program: Command, env: Env): void {
  const project = program.command('project').description('add, list and remove projects');
  registerAdd(project, env);
  registerList(project, env);
  registerProjectSet(project, env);

  project
    .command('show <project>')
    .description('show a project, by id or domain')
    .addOption(ORGANIZATION)
    .action(async (name: string, options: ForOrganization) => {
      await withDatabase(env, async (pool, config) => {
        const owner = await organizationNamed(pool, options.organization);
        const found = await findProjectByName(pool, owner.id, name);
        print(JSON.stringify({ ...found, ...(await indexShown(pool, config, found)) }, null, 2));
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
    .addOption(
      new Option('--kind <kind>', 'what builds the site (default: detected)').choices(SITE_KINDS),
    )
    .option('--base-ref <branch>', "target of pull requests (default: the repository's default)")
    .option('--site-url <url>', "the site's URL, for links to pages")
    .option('--base-path <path>', 'what addresses begin with (default: as the site is configured)')
    .option('--context <repositories>', 'let jobs read them (comma-separated name@branch)')
    .action(async (name: string, options: AddOptions) => {
      await withDatabase(env, async (pool, config) => {
        const added = await addProject(pool, config, name, options);
        print(`${added.id}  ${added.domain}  ${added.repositoryUrl}`);
        await indexAndShow(pool, config, added);
        print(
          'Keys: npx docent key create --kind admin; ' +
            `npx docent key create --kind assistant --project ${added.domain}`,
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

const DEADLINE_MS = 2_000;

/** What `project show` says: the site as it was found, and where its index is. */
async function indexShown(pool: Pool, config: ConnectedConfig, { id }: { id: string }) {
  // Null: Temporal does not answer.
  const last = await readLastRun(config, id).catch(() => ({ run: null, failure: null }));
  const { site, ...index } = await indexState(pool, id, last);
  return { site, index };
}

async function readLastRun(config: ConnectedConfig, projectId: string) {
  const temporal = await openTemporal(config);
  try {
    const { client } = temporal;
    return await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      lastIndexRun(client, projectId),
    );
  } finally {
    await temporal.close();
  }
}

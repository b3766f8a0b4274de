import { type Command, Option } from 'commander';
import { NewProject as NewProjectFields } from '../../shared/dashboard/projects.ts';
import type { Pool } from '../../shared/db/pool.ts';
import {
  createProject,
  deleteProject,
  findProjectByDomain,
  listProjects,
  type NewProject,
  type Project,
  updateProject,
} from '../../shared/db/projects/projects.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { checkFlag } from './check-flag.ts';
import { beginIndexing, endIndexing, indexNow } from '../project/indexing.ts';
import {
  findProjectByName,
  organizationNamed,
  organizationToBeginWith,
} from '../project/lookup.ts';
import { type Located, locateRepository } from '../project/repository.ts';
import { type ConnectedConfig, type Env, withDatabase } from '../connect/settings.ts';
import { print, printTable } from '../output/terminal.ts';

interface AddOptions {
  repository: string;
  domain?: string;
  docsFolder?: string;
  baseRef?: string;
  siteUrl?: string;
  organization?: string;
}

/** `docent project …` and `docent index`: projects, straight in the database. */
export function registerProject(program: Command, env: Env): void {
  const project = program.command('project').description('add, list and remove projects');
  const organization = new Option('--organization <slug>', 'needed where there are several');

  project
    .command('add <name>')
    .description('add a docs repository')
    .addOption(organization)
    .requiredOption(
      '--repository <source>',
      'a local path or an address, which is copied into the built-in host unless GitHub is configured for it; or the name of a repository there',
    )
    .option('--domain <subdomain>', "the site's subdomain (default: from the name)")
    .option('--docs-folder <path>', 'where the pages are (default: found)')
    .option(
      '--base-ref <branch>',
      "the branch that pull requests go to (default: the repository's)",
    )
    .option('--site-url <url>', 'what links to pages are built on')
    .action(async (name: string, options: AddOptions) => {
      await withDatabase(env, async (pool, config) => {
        const { added, located } = await addProject(pool, config, name, options);
        await beginIndexing(config, added).catch(() =>
          console.error(
            `Temporal does not answer, so the site is not indexed yet: "docent index ${added.domain}" does it later.`,
          ),
        );
        print(`${added.id}  ${added.domain}  ${added.repositoryUrl}`);
        if (located.pages !== undefined) printPages(located.pages, located);
        print(
          `Keys: ./bin/docent.mjs key create --kind admin; ./bin/docent.mjs key create --kind assistant --project ${added.domain}`,
        );
      });
    });

  project
    .command('list')
    .description('list projects')
    .addOption(organization)
    .action(async (options: { organization?: string }) => {
      await withDatabase(env, async pool => {
        const projects = await listProjects(
          pool,
          (await organizationNamed(pool, options.organization)).id,
        );
        printTable(
          ['id', 'domain', 'name', 'repository'],
          projects.map(each => [each.id, each.domain, each.name, each.repositoryUrl]),
        );
      });
    });

  project
    .command('show <project>')
    .description('show a project, by id or domain')
    .addOption(organization)
    .action(async (name: string, options: { organization?: string }) => {
      await withDatabase(env, async pool => {
        const owner = await organizationNamed(pool, options.organization);
        print(JSON.stringify(await findProjectByName(pool, owner.id, name), null, 2));
      });
    });

  project
    .command('set <project>')
    .description('change what a project allows')
    .addOption(organization)
    .addOption(
      new Option(
        '--allow-mdx-code <yes|no>',
        'let jobs add imports, expressions, scripts and embeds to pages',
      )
        .choices(['yes', 'no'])
        .makeOptionMandatory(),
    )
    .action(
      async (name: string, options: { organization?: string; allowMdxCode: 'yes' | 'no' }) => {
        await withDatabase(env, async pool => {
          const owner = await organizationNamed(pool, options.organization);
          const { id } = await findProjectByName(pool, owner.id, name);
          const { settings } = await updateProject(pool, id, {
            settings: { allowMdxCode: options.allowMdxCode === 'yes' },
          });
          print(`${id}  ${JSON.stringify(settings)}`);
        });
      },
    );

  project
    .command('delete <project>')
    .description('remove a project and revoke its assistant keys; its repository stays')
    .addOption(organization)
    .action(async (name: string, options: { organization?: string }) => {
      await withDatabase(env, async (pool, config) => {
        const owner = await organizationNamed(pool, options.organization);
        const found = await findProjectByName(pool, owner.id, name);
        await deleteProject(pool, owner.id, found.id);
        await endIndexing(config, found.id).catch(() => undefined); // a schedule that stays finds no project and does nothing
        print(`${found.id} is removed.`);
      });
    });

  program
    .command('index <project>')
    .description("index a site's newest commit for search, and wait for it")
    .addOption(organization)
    .action(async (name: string, options: { organization?: string }) => {
      await withDatabase(env, async (pool, config) => {
        const owner = await organizationNamed(pool, options.organization);
        const report = await indexNow(config, await findProjectByName(pool, owner.id, name));
        if (!report) throw new CommandFailure(`${name} was removed meanwhile.`, EXIT.notFound);
        print(
          `${report.pages} pages at ${report.commit.slice(0, 7)}, ${report.built} of them new or changed.`,
        );
      });
    });
}

async function addProject(
  pool: Pool,
  config: ConnectedConfig,
  name: string,
  options: AddOptions,
): Promise<{ added: Project; located: Located }> {
  const domain = options.domain ?? slug(name);
  // Before anything is copied.
  checkFlag('The name', NewProjectFields.properties.name, name);
  checkFlag('--domain', NewProjectFields.properties.domain, domain);
  checkFlag('--site-url', NewProjectFields.properties.siteUrl, options.siteUrl);
  if (await findProjectByDomain(pool, domain)) throw domainTaken(domain);
  const owner = await organizationToBeginWith(pool, options.organization);
  const located = await locateRepository(pool, config, owner.id, slug(name), options);
  const { pages: _, ...repository } = located;
  const project: NewProject = {
    organizationId: owner.id,
    name,
    domain,
    ...repository,
    ...(options.siteUrl !== undefined && { siteUrl: options.siteUrl.replace(/\/+$/, '') }),
  };
  const added = await createProject(pool, project).catch((error: { code?: string }) => {
    throw error.code === '23505' ? domainTaken(domain) : error;
  });
  return { added, located };
}

function domainTaken(domain: string): CommandFailure {
  return new CommandFailure(
    `The domain ${domain} is taken; name another with --domain.`,
    EXIT.usage,
  );
}

function printPages(pages: number, { docsFolder, baseRef }: Located): void {
  const place = `${docsFolder === '' ? 'the root' : docsFolder} of branch ${baseRef}`;
  if (pages > 0) print(`${pages} ${pages === 1 ? 'page' : 'pages'} in ${place}`);
  else
    console.error(
      `There is no page (.md, .mdx) in ${place}, so the assistant has nothing to answer from. Where they are elsewhere, change the docs folder in the project's settings on the dashboard.`,
    );
}

function slug(name: string): string {
  const text = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63);
  if (text === '')
    throw new CommandFailure(`"${name}" has no letter or digit to make a name of.`, EXIT.usage);
  return text;
}

import { type Command, Option } from 'commander';
import { hostOf } from '../../hosts/registry.ts';
import { ProjectChange } from '../../api/dashboard/contract/projects/projects.ts';
import { OPERATOR, recordAudit } from '../../db/audit/audit-log.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import { type Project, updateProject } from '../../db/projects/projects.ts';
import { sitePathOf } from '../../sites/kinds/paths.ts';
import { changedAuthor, type CommitAuthor } from '../../shared/jobs/commit-author.ts';
import { type Effort, EFFORTS } from '../../shared/models/thinking.ts';
import { SITE_KINDS, type SiteKindName } from '../../sites/kinds/registry.ts';
import { type ConnectedConfig, type Env, withDatabase } from '../connect/settings.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { print } from '../output/terminal.ts';
import { findProjectByName, organizationNamed } from '../project/lookup.ts';
import { trimmedFolder } from '../project/repository.ts';
import { indexAndShow } from '../project/site-shown.ts';
import { contextChange } from '../project/context-change.ts';
import { checkFlag, type ForOrganization, ORGANIZATION } from './flags.ts';

interface SetOptions extends ForOrganization {
  allowMdxCode?: 'yes' | 'no';
  allowPaths?: string;
  commitAuthor?: string;
  signOff?: 'yes' | 'no';
  context?: string;
  webPages?: string;
  effort?: Effort | 'default';
  planFirst?: 'yes' | 'no';
  budget?: string;
  kind?: SiteKindName | 'detect';
  docsFolder?: string;
  baseRef?: string;
  basePath?: string;
  siteUrl?: string;
}

/** `docent project set`: what a project allows, and how its site is read. */
export function registerProjectSet(project: Command, env: Env): void {
  addBrakes(project.command('set <project>'))
    .description('change what a project allows, and how its site is read')
    .addOption(ORGANIZATION)
    .addOption(
      new Option(
        '--allow-mdx-code <yes|no>',
        'let jobs add imports, expressions, scripts and embeds to pages',
      ).choices(['yes', 'no']),
    )
    .option(
      '--allow-paths <globs>',
      'let jobs write other files too (comma-separated); a build may run them. none: no others',
    )
    .option('--commit-author <author>', 'author of commits, as "Name <address>"; default: Docent')
    .addOption(
      new Option(
        '--sign-off <yes|no>',
        'end commit messages with the Signed-off-by line of their author',
      ).choices(['yes', 'no']),
    )
    .option(
      '--context <repositories>',
      'let jobs read other repositories (comma-separated name@branch); none: no others',
    )
    .option(
      '--web-pages <addresses>',
      'let jobs read web pages (comma-separated hosts or beginnings of addresses); none: none',
    )
    .addOption(
      new Option('--effort <effort>', 'how much the model of its jobs may think').choices([
        ...EFFORTS,
        'default',
      ]),
    )
    .addOption(
      new Option('--kind <kind>', 'what builds the site; "detect" finds it by its files').choices([
        ...SITE_KINDS,
        'detect',
      ]),
    )
    .option('--docs-folder <path>', 'folder that contains the pages; . is the root, or "detect"')
    .option('--base-ref <branch>', 'target of pull requests; the index follows it')
    .option('--site-url <url>', "the site's URL, for links to pages; none: relative links")
    .option('--base-path <path>', 'what addresses begin with, such as /docs; or "detect"')
    .action(async (name: string, options: SetOptions) => {
      await withDatabase(env, (pool, config) => setProject(pool, config, name, options));
    });
}

/** What stops its jobs until a person decides. */
function addBrakes(set: Command): Command {
  return set
    .addOption(
      new Option('--plan-first <yes|no>', 'let jobs wait for approval of a plan').choices([
        'yes',
        'no',
      ]),
    )
    .option('--budget <usd>', 'what a job may spend on the model before it waits; none: no budget');
}

async function setProject(
  pool: Pool,
  config: ConnectedConfig,
  name: string,
  { organization, ...options }: SetOptions,
): Promise<void> {
  if (Object.values(options).every(option => option === undefined))
    throw new CommandFailure(
      'Nothing to change: pass at least one option; see --help.',
      EXIT.usage,
    );
  const change = siteChange(options);
  const owner = await organizationNamed(pool, organization);
  const found = await findProjectByName(pool, owner.id, name);
  const settings = {
    ...settingsChange(options),
    ...authorChange(found, options),
    ...(await contextChange({ pool, config }, owner.id, options.context)),
  };
  const { baseRef, docsFolder } = change;
  await hostOf(found.host).checkChange({ pool, config }, found, {
    ...(baseRef !== undefined && { baseRef }),
    ...(docsFolder !== undefined && { docsFolder }),
  });
  const wanted = {
    ...change,
    ...(Object.keys(settings).length > 0 && { settings }),
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
  if (Object.keys(settings).length > 0) print(`${found.id}  ${JSON.stringify(changed.settings)}`);
  if (Object.keys(change).length === 0) return;
  print(`${found.id}  ${settingsOf(changed)}`);
  if (Object.keys(change).some(member => member !== 'siteUrl'))
    await indexAndShow(pool, config, changed);
}

function settingsChange({
  allowMdxCode,
  allowPaths,
  webPages,
  effort,
  planFirst,
  budget,
}: SetOptions): Record<string, unknown> {
  const budgetUsd = budget === 'none' ? null : budget && Number(budget);
  checkFlag('--budget', ProjectChange.properties.budgetUsd, budgetUsd);
  const globs = listIn(allowPaths);
  const pages = listIn(webPages);
  checkFlag('--web-pages', ProjectChange.properties.webPages, pages);
  checkFlag('--allow-paths', ProjectChange.properties.allowPaths, globs);
  return {
    ...(allowMdxCode && { allowMdxCode: allowMdxCode === 'yes' }),
    ...(globs && { allowPaths: globs }),
    ...(pages && { webPages: pages }),
    ...(effort && { effort: effort === 'default' ? null : effort }),
    ...(planFirst && { requirePlanApproval: planFirst === 'yes' }),
    ...(budgetUsd !== undefined && { budgetUsd }),
  };
}

function authorChange({ settings }: Project, { commitAuthor, signOff }: SetOptions) {
  checkFlag('--commit-author', ProjectChange.properties.commitAuthor, commitAuthor);
  return changedAuthor((settings['commitAuthor'] ?? null) as CommitAuthor | null, {
    commitAuthor: commitAuthor === 'default' ? null : commitAuthor,
    signOff: signOff && signOff === 'yes',
  });
}

function listIn(flag: string | undefined): string[] | undefined {
  return flag === 'none' ? [] : flag?.split(',').map(each => each.trim());
}

type SiteChange = Partial<
  Pick<
    Project,
    'siteKind' | 'docsFolder' | 'docsFolderDetected' | 'baseRef' | 'basePath' | 'siteUrl'
  >
>;

/** The flags, checked, as a project stores them. */
function siteChange({
  kind,
  docsFolder,
  baseRef,
  basePath,
  siteUrl,
}: Omit<SetOptions, keyof ForOrganization>): SiteChange {
  const { properties } = ProjectChange;
  const url = siteUrl === 'none' ? null : siteUrl?.replace(/\/+$/, '');
  const base = basePath === 'detect' ? null : basePath && sitePathOf(basePath);
  checkFlag('--site-url', properties.siteUrl, url);
  checkFlag('--base-path', properties.basePath, base);
  return {
    ...(kind && { siteKind: kind === 'detect' ? null : kind }),
    ...(docsFolder === 'detect' && { docsFolderDetected: true }),
    ...(docsFolder !== undefined &&
      docsFolder !== 'detect' && {
        docsFolder: trimmedFolder(docsFolder),
        docsFolderDetected: false,
      }),
    ...(baseRef !== undefined && { baseRef }),
    ...(base !== undefined && { basePath: base }),
    ...(url !== undefined && { siteUrl: url }),
  };
}

function settingsOf(project: Project): string {
  const folder = project.docsFolder || 'the root';
  return [
    `kind: ${project.siteKind ?? 'detected'}`,
    `docs folder: ${project.docsFolderDetected ? 'detected' : folder}`,
    `branch: ${project.baseRef}`,
    `base path: ${project.basePath ?? 'as configured'}`,
    `site: ${project.siteUrl ?? 'relative links'}`,
  ].join('  ');
}

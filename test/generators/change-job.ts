import { execFileSync } from 'node:child_process';
import { checkSite } from '../../sites/check-site.ts';
import { readSite } from '../../sites/kinds/registry.ts';
import type { Site } from '../../sites/kinds/site-kind.ts';
import { folderSource } from '../../sites/command/folder-source.ts';
import { startJobStack } from '../support/job-stack.ts';
import { changeScript } from './change-script.ts';
import { filesOf, type FixtureSite } from './fixture-sites.ts';

const JOB_MS = 300_000;

/** Runs one job that moves, removes and adds a page, and puts its branch into an empty folder. */
export async function runChangeJob(from: string, site: FixtureSite, to: string): Promise<void> {
  const { docsFolder } = site;
  const stack = await startJobStack({
    files: filesOf(from),
    docsFolder,
    script: changeScript(site),
  });
  try {
    const created = await stack.create('Rearrange the guides');
    const job = await stack.rest(created.id, JOB_MS);
    const said = stack.model.requests.at(-1)?.body.messages;
    if (job.status !== 'completed' || job.source.ref === null)
      throw new Error(`The job is ${job.status}: ${JSON.stringify(said)}`);
    const archive = execFileSync('git', ['-C', stack.repository, 'archive', job.source.ref]);
    execFileSync('tar', ['-x', '-C', to], { input: archive });
  } finally {
    await stack.close();
  }
}

/** The site in a folder, with everything that `docent check` finds. */
export function siteIn(folder: string): { site: Site; errors: string[] } {
  const source = folderSource(folder);
  const site = readSite(source);
  if (!site) throw new Error(`${folder} has no site`);
  const errors = checkSite(source, site).map(
    ({ file, line, message }) => `${file}:${line ?? '-'} ${message}`,
  );
  return { site, errors };
}

import type { Site } from '../../sites/kinds/site-kind.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';
import { startJobStack } from '../support/job-stack.ts';
import { createKey } from '../../db/projects/keys.ts';
import { indexPages } from '../../search/indexing/build-index.ts';
import { question, read } from '../api/assistant/harness.ts';
import { emptyCopy, putFiles, type SiteCopy, siteCopy } from './build.ts';
import { type BuiltSite, builtSite, linksOf, targetOf } from './built-site.ts';
import { filesOf, fixtureFolder, QUESTIONS, SITES } from './fixture-sites.ts';
import { installGenerator } from './install.ts';
import { type BuiltKind, GENERATORS } from './packages.ts';
import { wantedKinds } from './wanted-kinds.ts';
import { runChangeJob, siteIn } from './change-job.ts';
import { MOVED, NEW, REMOVED } from './change-script.ts';

const ALL = Object.keys(GENERATORS) as BuiltKind[];
const wanted = wantedKinds(process.env.GENERATORS);
const ASKED: BuiltKind[] = ['mkdocs', 'docusaurus', 'vitepress', 'starlight'];

const MINUTES = 60_000;

describe.each(ALL)('the fixture site of %s', kind => {
  const ifWanted = wanted.includes(kind) ? it : it.skip;
  let generator: string;
  let copy: SiteCopy;
  beforeAll(async () => {
    if (!wanted.includes(kind)) return;
    generator = await installGenerator(kind);
    copy = siteCopy(kind, generator);
    putFiles(copy, fixtureFolder(kind));
    await copy.build();
  }, 20 * MINUTES);
  afterAll(() => copy?.remove());

  ifWanted('builds strictly, and is read as it is built', () => {
    const { site, errors } = siteIn(fixtureFolder(kind));
    const built = builtSite(copy.output, site.basePath);
    expect(errors).toEqual([]);
    expect(built.deadLinks()).toEqual([]);
    expect(unlikeBuilt(site, built)).toEqual([]);
  });

  const ifAsked = wanted.includes(kind) && ASKED.includes(kind) ? it : it.skip;
  ifAsked(
    'is cited by addresses that exist',
    async () => {
      const { site } = siteIn(fixtureFolder(kind));
      const built = builtSite(copy.output, site.basePath);
      for (const { asked, urls } of await citations(kind)) {
        expect({ asked, cited: urls.length > 0 }).toEqual({ asked, cited: true });
        expect({ asked, dead: urls.filter(url => !exists(url, built, site)) }).toEqual({
          asked,
          dead: [],
        });
      }
    },
    10 * MINUTES,
  );

  ifWanted(
    'builds strictly after a move, a deletion and a new page',
    async () => {
      emptyCopy(copy);
      await runChangeJob(fixtureFolder(kind), SITES[kind], copy.folder);
      const { site, errors } = siteIn(copy.folder);
      expect(errors).toEqual([]);
      await copy.build();
      const built = builtSite(copy.output, site.basePath);
      expect(built.deadLinks()).toEqual([]);
      expect(unlikeBuilt(site, built)).toEqual([]);
      const { docsFolder, ending, hasRedirects } = SITES[kind];
      const at = (page: string) =>
        site.pages.find(one => one.file === `${docsFolder}/${page}${ending}`);
      expect([at(MOVED.from), at(REMOVED.path)]).toEqual([undefined, undefined]);
      expect(at(MOVED.to)?.inNavigation).toBe(true);
      expect(listedBeside(built, site, at(NEW.path)?.url ?? '')).toBe(true);
      const order = site.navigation.map(item => item.file).filter(file => file !== undefined);
      const after = order.indexOf(`${docsFolder}/${NEW.after}${ending}`);
      expect(order[after + 1]).toBe(`${docsFolder}/${NEW.path}${ending}`);
      if (hasRedirects)
        for (const old of [MOVED.from, REMOVED.path]) expect(built.fileAt(old)).toBeDefined();
    },
    20 * MINUTES,
  );
});

/** Ids that themes give to headings of their own. */
const OF_THEMES =
  /^(?:_top|starlight__.*|doc-outline-aria-label|sidebar-aria-label|.*-aria-label)$/;

/** Pages whose address or anchors are not those that the generator wrote. */
function unlikeBuilt(site: Site, built: BuiltSite): string[] {
  return site.pages.flatMap(page => {
    const path = site.basePath === '/' ? page.url : page.url.slice(site.basePath.length);
    const file = built.fileAt(path === '' ? '/' : path);
    if (file === undefined) return [`${page.file}: nothing is built at ${page.url}`];
    const own = site.headingIds(site.outline(page.file));
    const theirs = built.headingIds(file).filter(id => !OF_THEMES.test(id));
    return own.join(' ') === theirs.join(' ')
      ? []
      : [`${page.file}: ${own.join(' ')} is built as ${theirs.join(' ')}`];
  });
}

/** Whether the navigation that is built leads to an address: a page that has no link to it does. */
function listedBeside(built: BuiltSite, site: Site, url: string): boolean {
  const path = site.basePath === '/' ? url : url.slice(site.basePath.length);
  const target = built.fileAt(path);
  return built.pages
    .filter(page => page !== target && /upgrade|toc\.html/.test(page))
    .some(page =>
      linksOf(built.html(page)).some(link => {
        const found = targetOf(link, page, site.basePath);
        return found !== undefined && found.path !== '' && built.fileAt(found.path) === target;
      }),
    );
}

/** What the assistant cites for each question: the offline model, over a real index. */
async function citations(kind: BuiltKind): Promise<{ asked: string; urls: string[] }[]> {
  const files = filesOf(fixtureFolder(kind));
  const { docsFolder } = SITES[kind];
  const stack = await startJobStack({ files, docsFolder, noWorker: true });
  try {
    const { id, organizationId, domain } = stack.project;
    await indexPages(stack.pool, id, { snapshot: memorySnapshot(files), docsFolder });
    const key = await createKey(stack.pool, {
      organizationId,
      projectId: id,
      kind: 'assistant',
      name: 'test',
    });
    const answers = [];
    for (const asked of QUESTIONS) {
      const response = await fetch(`${stack.baseUrl}/discovery/v2/assistant/${domain}/message`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ fp: 'anonymous', messages: [question(asked)] }),
      });
      answers.push({ asked, urls: (await read(response)).sources.map(({ url }) => url) });
    }
    return answers;
  } finally {
    await stack.close();
  }
}

function exists(url: string, built: BuiltSite, site: Site): boolean {
  const { pathname, hash } = new URL(url, 'https://unknown.example');
  if (site.basePath !== '/' && !`${pathname}/`.startsWith(`${site.basePath}/`)) return false;
  const path = site.basePath === '/' ? pathname : pathname.slice(site.basePath.length);
  const file = built.fileAt(path === '' ? '/' : path);
  return (
    file !== undefined && (hash === '' || built.hasId(file, decodeURIComponent(hash.slice(1))))
  );
}

import type { PageNode } from '../dashboard/contract/page-tree.ts';
import type { LinkedPages } from '../dashboard/contract/site.ts';
import type { LocalPullRequestRow } from '../../db/local-host/local-pull-requests.ts';
import { listProjectsOn } from '../../db/projects/projects.ts';
import type { Pool } from '../../db/pool.ts';
import { Problem } from '../../shared/errors.ts';
import { KIND } from '../../hosts/local/context.ts';
import type { Reader } from '../reader/reader.ts';
import { wholePage } from '../reader/render/render-page.ts';
import type { FileDiff } from '../../hosts/git/parse-diff.ts';

const PAGE_FILE = /\.(?:mdx?|markdown|mdoc)$/i;
/** Of one pull request; the diff has all of them. */
const MOST_PAGES = 10;
/** Of all organizations: each reads two sites, in threads. */
const MOST_AT_ONCE = 2;
/** Blocks around a change, as a diff has lines. */
const AROUND = 1;

/** Stands for blocks that are left out. */
const LEFT_OUT: PageNode = { tag: 'p', children: ['…'] };

function isPage({ path, binary }: FileDiff): boolean {
  return !binary && PAGE_FILE.test(path);
}

/**
 * The changed pages of pull requests as readers see them. People with the link see what the diff
 * shows: the changes, and what is around them.
 */
export class ChangedPages {
  readonly #pool: Pool;
  readonly #reader: Reader;
  #running = 0;

  constructor(pool: Pool, reader: Reader) {
    this.#pool = pool;
    this.#reader = reader;
  }

  /** Throws `Problem` if they cannot be shown now, or there is no site that they are pages of. */
  async of(row: LocalPullRequestRow, files: readonly FileDiff[]): Promise<LinkedPages> {
    const [project] = await listProjectsOn(this.#pool, KIND, row.repository, row.base);
    if (!project)
      throw new Problem('not_found', 'No project is built from the base of this pull request.');
    if (this.#running >= MOST_AT_ONCE)
      throw new Problem('unavailable', 'Too many pages are being shown. Try again soon.');
    this.#running += 1;
    try {
      const shown = files.filter(isPage).slice(0, MOST_PAGES);
      const before = await this.#reader.atCommit(project, row.base_commit, true, site =>
        Promise.all(shown.map(async ({ path, from }) => wholePage(await site.file(from ?? path)))),
      );
      const pages = await this.#reader.atCommit(project, row.head_commit, true, site =>
        Promise.all(
          shown.map(async ({ path }, i) => {
            const file = site.snapshot.entries.has(path) ? path : null;
            return { path, nodes: around(await site.changes(file, before[i] ?? [])) };
          }),
        ),
      );
      return { pages };
    } finally {
      this.#running -= 1;
    }
  }
}

/** The blocks that changed, and those next to them. */
function around(nodes: readonly PageNode[]): PageNode[] {
  const changed = nodes.map(isChanged);
  const blocks: PageNode[] = [];
  for (const [i, node] of nodes.entries()) {
    if (changed.slice(Math.max(0, i - AROUND), i + AROUND + 1).includes(true))
      blocks.push(withoutSite(node));
    else if (blocks.at(-1) !== LEFT_OUT) blocks.push(LEFT_OUT);
  }
  return blocks;
}

/** Pages and images of the site are not for people with the link: neither is named. */
function withoutSite(node: PageNode): PageNode {
  if (typeof node === 'string') return node;
  const {
    page: _page,
    hash: _hash,
    file: _file,
    missing: _missing,
    ...rest
  } = node.attributes ?? {};
  const { children } = node;
  return { ...node, attributes: rest, ...(children && { children: children.map(withoutSite) }) };
}

function isChanged(node: PageNode): boolean {
  if (typeof node === 'string') return false;
  const { tag, attributes, children = [] } = node;
  return (
    attributes?.change !== undefined || tag === 'ins' || tag === 'del' || children.some(isChanged)
  );
}

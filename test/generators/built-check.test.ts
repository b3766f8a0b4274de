import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { builtFolder } from '../../sites/command/built/built-folder.ts';
import { deadLinks } from '../../sites/command/built/built-site.ts';
import { docent } from '../support/docent.ts';
import { putFiles, type SiteCopy, siteCopy } from './build.ts';
import { fixtureFolder } from './fixture-sites.ts';
import { installGenerator, installPackages } from './install.ts';
import type { BuiltKind } from './packages.ts';
import { wantedKinds } from './wanted-kinds.ts';

/** Faults that the kind's own strict build does not look at, and the lines that have them. */
interface Faults {
  file: string;
  text: string;
  lines: number[];
  basePath: string;
}

const html = (file: string, page: string, image: string, anchor: string, lines: number[]) => ({
  file,
  text: `\n\nSee <a href="${page}">this</a>.\n\n<img src="${image}">\n\nSee <a href="${anchor}">that</a>.\n`,
  lines,
});
const markdown = (file: string, page: string, image: string, anchor: string, lines: number[]) => ({
  file,
  text: `\n\nSee [this](${page}).\n\n![x](${image})\n\nSee [that](${anchor}).\n`,
  lines,
});

const FAULTS: Partial<Record<BuiltKind, Faults>> = {
  mkdocs: {
    ...html(
      ...([
        'docs/guides/backups.md',
        '../gone/',
        '../../img/gone.png',
        '../../start/install/#none',
      ] as const),
      [14, 16, 18],
    ),
    basePath: '/harbor',
  },
  sphinx: {
    ...html(
      ...([
        'docs/guides/backups.md',
        'gone.html',
        '../img/gone.png',
        '../start/install.html#none',
      ] as const),
      [14, 16, 18],
    ),
    basePath: '/',
  },
  vitepress: {
    ...html(
      ...([
        'docs/guides/backups.md',
        './gone.html',
        '',
        '/harbor/start/install.html#none',
      ] as const),
      [14, 18],
    ),
    basePath: '/harbor',
  },
  hugo: {
    ...markdown(
      ...([
        'content/guides/backups.md',
        '/gone/',
        '/img/gone.png',
        '/start/install/#none',
      ] as const),
      [17, 19, 21],
    ),
    basePath: '/',
  },
  mdbook: {
    ...markdown(
      ...([
        'src/guides/backups.md',
        'gone.md',
        '../img/gone.png',
        '../start/install.md#none',
      ] as const),
      [14, 16, 18],
    ),
    basePath: '/harbor',
  },
};

const CRAWLER = { from: 'npm', packages: { hyperlink: '5.0.4' } } as const;
const MINUTES = 60_000;
const wanted = wantedKinds(process.env.GENERATORS);

describe.each(Object.entries(FAULTS))(
  'docent check --built on the fixture site of %s',
  (name, faults) => {
    const kind = name as BuiltKind;
    const ifWanted = wanted.includes(kind) ? it : it.skip;
    let copy: SiteCopy;
    beforeAll(async () => {
      if (!wanted.includes(kind)) return;
      copy = siteCopy(kind, await installGenerator(kind));
      putFiles(copy, fixtureFolder(kind));
      appendFileSync(join(copy.folder, faults.file), faults.text);
      await copy.build();
    }, 20 * MINUTES);
    afterAll(() => copy?.remove());

    ifWanted(
      'finds what an independent crawler finds',
      async () => {
        const dead = deadLinks(builtFolder(copy.output, faults.basePath));
        const ours = new Set(
          dead.map(({ path, target, anchor }) =>
            target === undefined ? path : `${target}#${anchor}`,
          ),
        );
        const theirs = await crawled(kind, copy.output, faults.basePath);
        expect([...ours].map(bare).toSorted()).toEqual(theirs.map(bare).toSorted());
      },
      10 * MINUTES,
    );

    // Of a plain folder every address is wrong: the HTML decides all the same.
    ifWanted.each([kind, 'folder'])(
      'reports the lines of the sources, read as %s',
      async read => {
        const args = ['check', copy.folder, '--built', copy.output, '--kind', read, '--json'];
        const { code, stdout } = await docent(copy.folder, args);
        const { findings } = JSON.parse(stdout) as { findings: { file: string; line: number }[] };
        expect([code, findings.map(({ file, line }) => `${file}:${line}`)]).toEqual([
          1,
          faults.lines.map(line => `${faults.file}:${line}`),
        ]);
      },
      MINUTES,
    );
  },
);

/** `/guides/` and `/guides/index.html` are one page. */
function bare(address: string): string {
  return address.replace(/(?:index)?\.html(?=#|$)/, '').replace(/\/(?=#|$)/, '');
}

const ORIGIN = 'http://site';

/** What the crawler finds broken. Of a server it looks at no images, of files at no clean addresses. */
async function crawled(kind: BuiltKind, output: string, basePath: string): Promise<string[]> {
  if (kind === 'vitepress') return served(output, basePath, origin => hyperlink([origin], origin));
  const root = mkdtempSync(join(tmpdir(), 'docent-served-'));
  try {
    cpSync(output, join(root, basePath), { recursive: true });
    return await hyperlink(['--root', root, join(root, basePath, 'index.html')], ORIGIN, root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** It names files as seen from `cwd`. */
async function hyperlink(given: string[], origin: string, cwd = '.'): Promise<string[]> {
  const crawler = await installPackages('hyperlink', CRAWLER);
  const program = join(crawler, 'node_modules', '.bin', 'hyperlink');
  const { stdout } = await promisify(execFile)(program, ['--internal', '--recursive', ...given], {
    cwd,
    maxBuffer: 50_000_000,
  }).catch((error: { stdout: string }) => error);
  const found = Array.from(
    stdout.matchAll(/^not ok \d+ (?:load|fragment-check) (\S+)(?: --> (\S+))?/gm),
    ([, page = '', link = '']) => new URL(link, new URL(page, origin)),
  );
  return [...new Set(found.map(({ pathname, hash }) => `${pathname}${hash}`))];
}

/** With a server that answers `/a` with `a.html`. */
async function served<T>(
  output: string,
  basePath: string,
  use: (address: string) => Promise<T>,
): Promise<T> {
  const server = createServer(({ url = '/' }, response) => {
    const path = decodeURIComponent(url.replace(/[?#].*$/, '')).slice(basePath.length);
    const file = (path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`])
      .map(name => join(output, name))
      .find(name => existsSync(name) && statSync(name).isFile());
    if (file === undefined) return response.writeHead(404).end();
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    return response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

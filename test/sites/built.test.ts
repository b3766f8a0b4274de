import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtFindings } from '../../sites/command/built/check-built.ts';
import { folderSource } from '../../sites/command/folder-source.ts';
import { readSite } from '../../sites/kinds/registry.ts';

/** Sites of generators of our own: what counts is in the HTML alone. */
describe('a built site as the witness', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'docent-built-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (files: Record<string, string>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  const judged = async (built = join(folder, 'out')) => {
    const source = folderSource(folder, 'out');
    const { findings } = await builtFindings(source, readSite(source), built);
    return findings.map(({ rule, file, line, link }) =>
      [rule, line === null ? file : `${file}:${line}`, link].join(' '),
    );
  };

  it('knows links, images, ids, redirects and base addresses as a browser does', async () => {
    write({
      'out/index.html':
        '<title><a href=no1></title><script>"<a href=no2>"</script><style>a{b:"<a href=no3>"}</style>' +
        '<!-- <a href=no4> --><a href=" a/ ">1</a><a href="a">2</a><a href=a/index.html?x=1>3</a>' +
        '<a href="#top">4</a><a href="#:~:text=x">5</a><a href="mailto:x@y.z">6</a><a href="//x.y/z">7</a>' +
        '<A HREF="a/&#98;.png">8</A><a href="a/%C3%A4%20%25.html#%C3%B6">9</a><a href>10</a>' +
        '<svg><style/><title/><a href="gone1">11</a></svg><img srcset="a/b.png 1x, gone2.png 2x">' +
        '<video poster=gone3.png><source src="gone4.mp4"></video><a href="A/">12</a><a name=n href="#n">13</a>',
      'out/a/index.html': '<base href="/"><a href="a/">1</a><a href="gone5">2</a>',
      'out/a/ä %.html': '<p id=ö>',
      'out/a/b.png': '',
      'out/old.html': '<meta http-equiv="Refresh" content="0; URL=\'/gone6/\'">',
      'out/old2.html': '<meta http-equiv=refresh content="0;url=a/#x">',
      'out/404.html': '<a href="gone7">1</a>',
      'out/_redirects': '/x /a/ 301\n/y/* /gone8/:splat\n/z /gone9\n',
      'out/more.html': '<a href="/x">1</a><a href="/y/1">2</a><a href="old2#x">3</a>',
    });
    const wrong = (await judged()).map(one => `${one.split(' ')[0]} ${one.split(' ')[2]}`);
    expect(wrong.toSorted()).toEqual(
      [
        'anchor old2#x',
        'redirect a/#x',
        'link A/',
        ...['gone1', 'gone2.png', 'gone3.png', 'gone4.mp4', 'gone5'].map(name => `link ${name}`),
        ...["redirect '/gone6/'", 'redirect /gone9'],
      ]
        .map(one => one.replaceAll("'", ''))
        .toSorted(),
    );
  });

  it('finds the line of pages that no kind knows, of included files and of the theme', async () => {
    write({
      'src/01-guide/02_install.adoc': '= Install\n\nlink:gone.html[x]\n\nxref:use.adoc#none[y]\n',
      'src/01-guide/use.rst':
        'Use\n===\n\n`x <nothing/>`_ and `x <nothing/>`_\n\nnothing\n\n`z <nothing/>`_\n',
      'parts/note.txt': 'Line\n\n<a href="/missing/">here</a>\n',
      'theme/footer.hbs': '\n<a href="/imprint">Imprint</a>',
      'out/guide/install.html':
        '<a href="gone.html">x</a><a href="use.html#none">y</a><a href="/imprint">I</a>',
      'out/guide/use.html':
        '<a href="nothing/">x</a><a href="nothing/">x</a><a href="nothing/">z</a><a href="/missing/">h</a><a href="/imprint">I</a>',
      'out/index.html': '<a href="/made/by/nobody">x</a>',
      'out/other.html': '<a href="/made/by/nobody">x</a>',
    });
    expect((await judged()).toSorted()).toEqual([
      'anchor src/01-guide/02_install.adoc:5 use.adoc#none',
      'link / /made/by/nobody',
      'link parts/note.txt:3 /missing/',
      'link src/01-guide/02_install.adoc:3 gone.html',
      'link src/01-guide/use.rst:4 nothing/',
      'link src/01-guide/use.rst:8 nothing/',
      'link theme/footer.hbs:2 /imprint',
    ]);
  });

  it('finds out for which base path the site was built', async () => {
    const nav = '<a href="/docs/v1/a/">A</a><a href="/docs/v1/b/">B</a><a href="/elsewhere">C</a>';
    write({
      'a.md': '# A\n\n[x](/docs/v1/none/)\n',
      'out/index.html': nav,
      'out/a/index.html': `${nav}<a href="/docs/v1/none/">x</a><a href="../b/">y</a>`,
      'out/b/index.html': nav,
    });
    expect(await judged()).toEqual(['link a.md:3 /docs/v1/none/']);
  });

  it('follows symbolic links within the built folder, and no others', async () => {
    const links =
      '<a href=latest/a>1</a><a href=newest/a#x>2</a><a href=out/a>3</a><a href=none/a>4</a>';
    write({ 'out/index.html': links, 'out/v2/a.html': '<p id=x><a href=b>5</a>', 'a.html': '' });
    symlinkSync('v2', join(folder, 'out/latest'));
    symlinkSync(join(folder, 'out/latest'), join(folder, 'out/newest'));
    symlinkSync('..', join(folder, 'out/out'));
    symlinkSync('gone', join(folder, 'out/none'));
    symlinkSync('..', join(folder, 'out/v2/up'));
    expect((await judged()).map(one => one.split(' ')[2] ?? '').toSorted()).toEqual([
      ...['b', 'b', 'b', 'none/a', 'out/a'],
    ]);
  });

  it('leaves out files whose names are not Unicode', async () => {
    write({ 'out/index.html': '<a href="gone">1</a>' });
    const odd = Buffer.concat([
      Buffer.from(join(folder, 'out/')),
      Buffer.from([0xff]),
      Buffer.from('.html'),
    ]);
    writeFileSync(odd, '<a href="gone2">');
    expect((await judged()).map(one => one.split(' ')[2])).toEqual(['gone']);
  });

  it('takes linear time for many links and hostile HTML', async () => {
    const many = Array.from({ length: 40_000 }, (_, n) => `<a href="gone${n}">x</a>`).join('\n');
    const source = Array.from({ length: 40_000 }, (_, n) => `[x](gone${n})`).join('\n');
    write({
      'a.md': source,
      'out/a.html': many,
      'out/b.html': '<a '.repeat(200_000),
      'out/c.html': `<a href="${'../'.repeat(50_000)}x">`,
    });
    const start = performance.now();
    const found = await judged();
    expect(found.filter(one => one.startsWith('link a.md:'))).toHaveLength(40_000);
    expect(performance.now() - start).toBeLessThan(20_000);
  }, 60_000);

  describe('behind a server', () => {
    let server: Server;
    beforeAll(async () => {
      server = createServer((request, response) => {
        const pages: Record<string, string> = {
          '/docs/':
            '<a href="a">x</a><a href="moved">y</a><a href="file.zip">z</a><a href="away">w</a>' +
            '<a href="ends">v</a><a href="busy">u</a>',
          '/docs/a':
            '<p id=there><a href="gone">x</a><a href="a#none">y</a><a href="a#there">z</a>',
        };
        const redirects: Record<string, string> = {
          '/docs/moved': '/docs/a',
          '/docs/away': 'https://example.com/',
          '/docs/loop': '/docs/loop',
        };
        const url = request.url ?? '';
        if (redirects[url]) response.writeHead(302, { location: redirects[url] }).end();
        else if (url === '/docs/ends') request.socket.destroy();
        else if (url === '/docs/busy') response.writeHead(503).end();
        else if (url === '/docs/file.zip') response.writeHead(200).end('x');
        else if (pages[url])
          response.writeHead(200, { 'content-type': 'text/html' }).end(pages[url]);
        else response.writeHead(404).end();
      });
      await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });

    it('follows every link and says which lead nowhere', async () => {
      write({ 'a.md': '# A\n\n[x](gone)\n\n[y](a.md#none)\n' });
      const { port } = server.address() as AddressInfo;
      expect(await judged(`http://127.0.0.1:${port}/docs/`)).toEqual([
        'link a.md:3 gone',
        'anchor a.md:5 a.md#none',
      ]);
      const source = folderSource(folder, 'out');
      const { notes } = await builtFindings(
        source,
        readSite(source),
        `http://127.0.0.1:${port}/docs/`,
      );
      expect(notes).toEqual(['Not known: 2 link targets that the server did not answer for.']);
    });
  });
});

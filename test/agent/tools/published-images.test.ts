import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { call, edit, toolContext } from './context.ts';

const PLACE = 'GPS 52.5200 N, 13.4050 E by somebody with a phone';
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const SIZE = { uint16: 2, uint32: 4 } as const;

function number(value: number, kind: keyof typeof SIZE, isLittle = false): Buffer {
  const bytes = Buffer.alloc(SIZE[kind]);
  if (isLittle) bytes.writeUIntLE(value, 0, SIZE[kind]);
  else bytes.writeUIntBE(value, 0, SIZE[kind]);
  return bytes;
}

/** As a phone writes it: its name, how the image is turned, and then where it was. */
function exif(orientation: number, isLittle: boolean): Buffer {
  const n = (value: number, kind: keyof typeof SIZE) => number(value, kind, isLittle);
  const entry = (tag: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([n(tag, 'uint16'), n(type, 'uint16'), n(count, 'uint32'), value]);
  return Buffer.concat([
    latin1(isLittle ? 'II*\0' : 'MM\0*'),
    n(8, 'uint32'),
    n(2, 'uint16'),
    entry(0x010f, 2, PLACE.length, n(38, 'uint32')),
    entry(0x0112, 3, 1, Buffer.concat([n(orientation, 'uint16'), n(0, 'uint16')])),
    n(0, 'uint32'),
    latin1(PLACE),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([latin1(name), content]);
  return Buffer.concat([number(content.length, 'uint32'), named, number(crc32(named), 'uint32')]);
}

const PNG_HEAD = [
  latin1('\x89PNG\r\n\x1a\n'),
  chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])),
  chunk('iCCP', latin1('profile\0\0colours')),
];
const PNG_REST = [chunk('IDAT', deflateSync(Buffer.alloc(4))), chunk('IEND', Buffer.alloc(0))];
const TEXTS = ['tEXt', 'iTXt', 'zTXt', 'tIME', 'caBX'].map(name => chunk(name, latin1(PLACE)));

function segment(marker: number, content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? latin1(content) : content;
  return Buffer.concat([Buffer.from([0xff, marker]), number(bytes.length + 2, 'uint16'), bytes]);
}

const inJpeg = (content: Buffer) => segment(0xe1, Buffer.concat([latin1('Exif\0\0'), content]));
const JFIF = segment(0xe0, 'JFIF\0\x01\x02\0\0\x01\0\x01\0\0');
const PICTURE = [
  segment(0xe2, 'ICC_PROFILE\0\x01\x01colours'),
  segment(0xee, 'Adobe\0\x64\0\0\0\0\x01'),
  segment(0xdb, 'tables'),
  segment(0xc2, '\x08\0\x01\0\x01\x01\x01\x11\0'),
  segment(0xda, '\x01\x01\0\0\0\0'),
  latin1('coded\xff\0more\xff\xd0and\xff\xd7on'),
  segment(0xc4, 'other tables'),
  segment(0xda, '\x01\x01\0\0\0\0'),
  latin1('second scan'),
  latin1('\xff\xd9'),
];
const START = latin1('\xff\xd8');

const webpChunk = (name: string, content: Buffer) =>
  Buffer.concat([
    latin1(name),
    number(content.length, 'uint32', true),
    content,
    Buffer.alloc(content.length % 2),
  ]);
const webp = (flags: number, ...chunks: Buffer[]) => {
  const size = Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const all = Buffer.concat([latin1('WEBP'), webpChunk('VP8X', size), ...chunks]);
  return Buffer.concat([latin1('RIFF'), number(all.length, 'uint32', true), all]);
};
const PIXELS = webpChunk('VP8L', latin1('\x2f\0\0\0\0odd'));
const PROFILE = webpChunk('ICCP', latin1('colours!'));

const GIF_HEAD = latin1('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff');
const GIF_LOOP = latin1('!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0');
const GIF_REST = latin1('!\xf9\x04\0\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;');
const blocks = (text: string) => latin1(`${String.fromCharCode(text.length)}${text}\0`);

const own = (orientation: number) => {
  const bytes = latin1('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0');
  bytes.writeUInt16BE(orientation, 18);
  return bytes;
};

const box = (name: string, ...content: Buffer[]) => {
  const bytes = Buffer.concat([latin1(name), ...content]);
  return Buffer.concat([number(bytes.length + 4, 'uint32'), bytes]);
};
const avif = (...items: string[]) => {
  const infos = items.map(type => box('infe', latin1(`\x02\0\0\0\0\x01\0\0${type}Color\0`)));
  const list = box('iinf', latin1('\0\0\0\0'), number(items.length, 'uint16'), ...infos);
  const meta = box('meta', latin1('\0\0\0\0'), box('hdlr'), box('iloc'), list, box('iprp'));
  return Buffer.concat([box('ftyp', latin1('avif')), meta, box('mdat', latin1('coded'))]);
};
const base64 = (...image: Buffer[]) => Buffer.concat(image).toString('base64');
const drawing = (image: string, attribute: string, ...hidden: string[]) =>
  latin1(
    `<?xml version="1.0"?>\n${hidden[0]}<svg xmlns="http://www.w3.org/2000/svg"${attribute}>${hidden[1]}` +
      `<title>Shown &lt;</title>${hidden[2]}<image href="data:image/png;base64,${image}"/>` +
      `<text x='1' y="2">1 &gt; 0</text>${hidden[3]}</svg>\n`,
  );

const IMAGES: [what: string, path: string, image: Buffer[], published: Buffer[]][] = [
  [
    'a PNG',
    'a.png',
    [...PNG_HEAD, ...TEXTS, chunk('eXIf', exif(1, false)), ...PNG_REST, latin1(PLACE)],
    [...PNG_HEAD, ...PNG_REST],
  ],
  [
    'a PNG that is turned',
    'a.png',
    [...PNG_HEAD, chunk('eXIf', exif(6, true)), ...PNG_REST],
    [...PNG_HEAD, chunk('eXIf', own(6)), ...PNG_REST],
  ],
  [
    'a photograph',
    'a.jpg',
    [
      START,
      JFIF,
      inJpeg(exif(1, true)),
      segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${PLACE}`),
      segment(0xe2, `MPF\0${PLACE}`),
      segment(0xed, `Photoshop 3.0\0${PLACE}`),
      segment(0xfe, PLACE),
      ...PICTURE,
      latin1(PLACE),
    ],
    [START, JFIF, ...PICTURE],
  ],
  [
    'a photograph that is turned, with a preview',
    'a.jpeg',
    [
      START,
      segment(0xe0, `JFIF\0\x01\x02\0\0\x01\0\x01\x01\x01${PLACE}`),
      segment(0xe0, `JFXX\0\x10${PLACE}`),
      latin1('\xff'), // padding
      inJpeg(exif(8, false)),
      ...PICTURE,
    ],
    [START, JFIF, inJpeg(own(8)), ...PICTURE],
  ],
  [
    'a WebP',
    'a.webp',
    [
      webp(
        0x2c,
        PROFILE,
        PIXELS,
        webpChunk('EXIF', exif(1, true)),
        webpChunk('XMP ', latin1(PLACE)),
      ),
    ],
    [webp(0x20, PROFILE, PIXELS)],
  ],
  [
    'a WebP that is turned',
    'a.webp',
    [webp(0x0c, PIXELS, webpChunk('EXIF', exif(3, true)), webpChunk('XMP ', latin1(PLACE)))],
    [webp(0x08, PIXELS, webpChunk('EXIF', own(3)))],
  ],
  [
    'a GIF',
    'a.gif',
    [
      GIF_HEAD,
      GIF_LOOP,
      Buffer.concat([latin1('!\xfe'), blocks(PLACE)]),
      Buffer.concat([latin1('!\xff\x0bXMP DataXMP'), blocks(PLACE)]),
      GIF_REST,
    ],
    [GIF_HEAD, GIF_LOOP, GIF_REST],
  ],
  [
    'a drawing',
    'a.svg',
    [
      drawing(
        base64(...PNG_HEAD, ...TEXTS, ...PNG_REST),
        ` inkscape:export-filename="/home/${PLACE}"`,
        `<!-- ${PLACE} <b> -->\n`,
        `<metadata><rdf:RDF><metadata/>${PLACE}</rdf:RDF></metadata>`,
        `<sodipodi:namedview id="a" inkscape:window-x="1"/><!---->`,
        `<sodipodi:namedview>${PLACE}<inkscape:grid/></sodipodi:namedview>`,
      ),
    ],
    [drawing(base64(...PNG_HEAD, ...PNG_REST), '', '\n', '', '', '')],
  ],
];

describe('add_image publishes what shows, not what an image says of people', () => {
  it.each(IMAGES)('%s', async (_, name, image, published) => {
    const source = Buffer.concat(image);
    const context = toolContext({ [`assets/${name}`]: source, 'docs/index.md': 'x\n' });
    const add = (path: string, from: string) => call(context, 'add_image', { path, from });
    const result = await add(`docs/${name}`, `assets/${name}`);
    expect([result.content, result.isError]).toEqual([
      expect.stringContaining('was taken out'),
      undefined,
    ]);
    const written = await context.workspace.read(`docs/${name}`);
    expect(written?.toString('latin1')).toBe(Buffer.concat(published).toString('latin1'));
    // What has nothing to take out stays as it is.
    expect((await add(`docs/again-${name}`, `docs/${name}`)).content).not.toContain('taken out');
    expect(await context.workspace.read(`docs/again-${name}`)).toEqual(written);
  });

  it.each([
    ['a.png', Buffer.concat([...PNG_HEAD, ...TEXTS]).subarray(0, -20)],
    ['a.svg', latin1('<svg><metadata></svg>')],
    ['a.svg', latin1('<svg></svg></metadata>')],
    ['a.svg', latin1('<svg><!-- </svg>')],
    ['a.svg', Buffer.from([...latin1('<svg>'), 0xff, ...latin1('</svg>')])],
    ['a.avif', avif('av01', 'Exif')],
    ['a.avif', avif('av01', 'mime')],
    ['a.avif', Buffer.concat([avif('av01'), box('uuid', latin1(PLACE))])],
    ['a.avif', avif('av01').subarray(0, -1)],
  ])('and refuses one whose parts cannot be told apart: %s', async (name, image) => {
    const context = toolContext({ [`assets/${name}`]: image });
    const result = await call(context, 'add_image', {
      path: `docs/${name}`,
      from: `assets/${name}`,
    });
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining('is damaged') });
    expect((await context.workspace.changes()).size).toBe(0);
  });

  it('publishes an AVIF of nothing but pixels', async () => {
    const context = toolContext({ 'assets/a.avif': avif('av01', 'av01') });
    await call(context, 'add_image', { path: 'docs/a.avif', from: 'assets/a.avif' });
    expect(await context.workspace.read('docs/a.avif')).toEqual(avif('av01', 'av01'));
  });

  it('leaves the screenshots of these docs as they are', async () => {
    const image = readFileSync('docs/images/dashboard-job.png');
    const context = toolContext({ 'assets/a.png': image });
    await call(context, 'add_image', { path: 'docs/a.png', from: 'assets/a.png' });
    expect(await context.workspace.read('docs/a.png')).toEqual(image);
  });
});

describe('images that git LFS keeps', () => {
  const image = Buffer.concat([...PNG_HEAD, ...PNG_REST]);
  const add = (attributes: Record<string, string>, path: string) =>
    call(toolContext({ ...attributes, 'assets/a.png': image }), 'add_image', {
      path,
      from: 'assets/a.png',
    });
  const LFS = 'filter=lfs diff=lfs merge=lfs -text';

  it.each<[Record<string, string>, string]>([
    [{ '.gitattributes': `*.png ${LFS}` }, 'docs/img/new.png'],
    [{ '.gitattributes': `# images\n\n"docs/my img/**" ${LFS}\r\n` }, 'docs/my img/new.png'],
    [{ '.gitattributes': `docs/img/** ${LFS}\n` }, 'docs/img/deep/new.png'],
    [{ 'docs/.gitattributes': `/img/*.png ${LFS}\n` }, 'docs/img/new.png'],
    [{ '.gitattributes': `*.png big\n[attr]big lfs\n[attr]lfs ${LFS}\n` }, 'docs/a.png'],
    [{ '.gitattributes': `[attr]lfs ${LFS}`, 'docs/.gitattributes': '*.png lfs' }, 'docs/a.png'],
    [{ '.gitattributes': `*.png -filter\n`, 'docs/.gitattributes': `*.png ${LFS}` }, 'docs/a.png'],
  ])('%j refuses %s', async (attributes, path) => {
    expect(await add(attributes, path)).toMatchObject({
      isError: true,
      content: expect.stringMatching(/is kept by git LFS \(.*\.gitattributes says filter=lfs\)/),
    });
  });

  it.each<[Record<string, string>, string]>([
    [{ '.gitattributes': `*.psd ${LFS}\n*.png text\n# *.png ${LFS}\n` }, 'docs/a.png'],
    [{ '.gitattributes': `/*.png ${LFS}\n` }, 'docs/a.png'],
    [{ '.gitattributes': `*.png ${LFS}\ndocs/*.png -filter -text\n` }, 'docs/a.png'],
    [{ '.gitattributes': `*.png ${LFS}`, 'docs/.gitattributes': '*.png !filter' }, 'docs/a.png'],
    [{ 'other/.gitattributes': `*.png ${LFS}` }, 'docs/a.png'],
    [{ '.gitattributes': `[attr]lfs ${LFS}\n*.png lfs -filter\n*.psd lfs\n` }, 'docs/a.png'],
    [{ '.gitattributes': `[attr]lfs ${LFS}\n*.png lfs\ndocs/*.png -lfs\n` }, 'docs/a.png'],
    [{ '.gitattributes': `[attr]a b\n[attr]b a\n*.png a\n` }, 'docs/a.png'],
    [{ 'docs/.gitattributes': `[attr]lfs ${LFS}\n*.png lfs\n` }, 'docs/a.png'],
  ])('%j lets %s be', async (attributes, path) => {
    expect((await add(attributes, path)).isError).toBeUndefined();
  });

  it('are named as such when they are viewed', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n';
    const context = toolContext({ 'docs/old.png': pointer });
    expect((await edit(context, { command: 'view', path: 'docs/old.png' })).content).toContain(
      'is kept by git LFS',
    );
  });
});

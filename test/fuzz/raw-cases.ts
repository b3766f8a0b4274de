import { connect } from 'node:net';

/** A request as bytes, and what about it is unusual. */
export interface RawCase {
  name: string;
  bytes: Buffer;
}

interface Keys {
  admin: string;
  projectId: string;
}

const LONG = 'x'.repeat(20_000);

/** Framing, methods, targets, headers, encodings and sizes that no client library sends. */
export function rawCases({ admin, projectId }: Keys): RawCase[] {
  const job = `/v2/agent/${projectId}/job`;
  const auth = `Authorization: Bearer ${admin}`;
  const json = 'Content-Type: application/json';
  const post = (headers: string[], body: string | Buffer, target = job) =>
    message(`POST ${target} HTTP/1.1`, ['Host: localhost', auth, ...headers], body);
  const get = (target: string, headers: string[] = []) =>
    message(`GET ${target} HTTP/1.1`, ['Host: localhost', auth, ...headers]);
  const sized = (body: string | Buffer, headers: string[] = [json]) =>
    post([...headers, `Content-Length: ${Buffer.byteLength(body)}`], body);
  const of = (group: string, cases: Record<string, Buffer>): RawCase[] =>
    Object.entries(cases).map(([name, bytes]) => ({ name: `${group}: ${name}`, bytes }));
  return [
    ...of('framing', framing(post, json)),
    ...METHODS.map(method => ({
      name: `method: ${JSON.stringify(method).slice(0, 40)}`,
      bytes: message(`${method} ${job} HTTP/1.1`, ['Host: localhost', auth]),
    })),
    ...TARGETS.map(target => ({
      name: `target: ${JSON.stringify(target).slice(0, 60)}`,
      bytes: get(target.replace('JOB', job)),
    })),
    ...VERSIONS.map(version => ({
      name: `version: ${version}`,
      bytes: message(`GET /healthz ${version}`, ['Host: localhost']),
    })),
    ...HEADERS.map(header => ({
      name: `header: ${JSON.stringify(header).slice(0, 60)}`,
      bytes: get(`${job}s`, [header]),
    })),
    ...TYPES.map(type => ({
      name: `type: ${type}`,
      bytes: sized('{"prompt":"x"}', [`Content-Type: ${type}`]),
    })),
    ...BODIES.map(body => ({
      name: `body: ${body.toString('latin1').slice(0, 40)}`,
      bytes: sized(body),
    })),
  ];
}

function message(line: string, headers: string[], body: string | Buffer = ''): Buffer {
  const head = `${line}\r\n${headers.map(header => `${header}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body as string)]);
}

function framing(
  post: (headers: string[], body: string | Buffer) => Buffer,
  json: string,
): Record<string, Buffer> {
  const chunked = 'Transfer-Encoding: chunked';
  const text = '{"prompt":"x"}';
  return {
    'both lengths': post([json, chunked, 'Content-Length: 3'], '0\r\n\r\n'),
    'two lengths': post([json, 'Content-Length: 3', 'Content-Length: 5'], '{}{}'),
    'length list': post([json, 'Content-Length: 2, 2'], '{}'),
    'negative length': post([json, 'Content-Length: -1'], ''),
    'hexadecimal length': post([json, 'Content-Length: 0x10'], text),
    'signed length': post([json, 'Content-Length: +2'], '{}'),
    'huge length': post([json, 'Content-Length: 99999999999999999999'], '{}'),
    'too large length': post([json, 'Content-Length: 1048577'], ''),
    'longer than its length': post([json, 'Content-Length: 2'], '{}GET /healthz HTTP/1.1\r\n\r\n'),
    'empty length': post([json, 'Content-Length: '], text),
    'bad chunk size': post([json, chunked], 'zz\r\n{}\r\n0\r\n\r\n'),
    'huge chunk size': post([json, chunked], 'ffffffffffffffff\r\n{}\r\n0\r\n\r\n'),
    'negative chunk': post([json, chunked], '-2\r\n{}\r\n0\r\n\r\n'),
    'chunk extension': post([json, chunked], `e;${'a=b;'.repeat(9_000)}\r\n${text}\r\n0\r\n\r\n`),
    trailers: post([json, chunked], `e\r\n${text}\r\n0\r\nAuthorization: Bearer x\r\n\r\n`),
    'chunks of one byte': post(
      [json, chunked],
      `${[...text].map(one => `1\r\n${one}\r\n`).join('')}0\r\n\r\n`,
    ),
    'unknown transfer coding': post([json, 'Transfer-Encoding: gzip'], text),
    'coding twice': post([json, 'Transfer-Encoding: chunked, chunked'], '0\r\n\r\n'),
    'coding hidden by a tab': post([json, 'Transfer-Encoding:\tchunked'], '0\r\n\r\n'),
    'coding with a space before': post([json, 'Transfer-Encoding : chunked'], '0\r\n\r\n'),
    'line feeds only': Buffer.from('GET /healthz HTTP/1.1\nHost: localhost\n\n'),
    'no host': Buffer.from('GET /healthz HTTP/1.1\r\n\r\n'),
    'two hosts': Buffer.from('GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'),
    'folded header': Buffer.from('GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n'),
    'header without a colon': Buffer.from('GET /healthz HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n'),
    'header without a name': Buffer.from('GET /healthz HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n'),
    'NUL in a header': Buffer.from('GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n'),
    'a lone return': Buffer.from('GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n'),
    'two at once': Buffer.from(
      'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
    ),
    'the start of TLS': Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]),
    'HTTP/2 at once': Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    'an upgrade': Buffer.from(
      'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ),
    'an expectation': post([json, 'Expect: 100-continue', 'Content-Length: 14'], text),
    'an unknown expectation': post([json, 'Expect: a-miracle', 'Content-Length: 14'], text),
    'random bytes': Buffer.from(Array.from({ length: 500 }, (_, n) => (n * 73 + 41) % 256)),
    nothing: Buffer.from('\r\n\r\n'),
  };
}

const METHODS = [
  ...['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'PURGE'],
  ...['get', 'G\tET', 'FOO', 'X'.repeat(100), '', 'GET,POST', 'LINK', 'SEARCH', 'QUERY'],
];
const TARGETS = [
  ...['*', '//', '/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/%', '/%zz', '/%00'],
  ...['/%ff%fe', '/v2/agent/%00/jobs', '/v2/agent/%f0%9f%92%a9/jobs', `/${LONG}`, '/v2//agent'],
  ...['JOBs?limit=99999999999999999999', 'JOBs?limit=-1', 'JOBs?limit=NaN', 'JOBs?limit=1e3'],
  ...['JOBs?cursor=%00', 'JOBs?cursor=%ff', 'JOBs?cursor[]=1', 'JOBs?limit=1&limit=2'],
  ...['JOBs?__proto__[x]=1', 'JOBs?constructor=1', 'JOBs?%00=1', 'JOB/%2e%2e', 'JOB/..%2fjobs'],
  ...['JOB/job_%27%20or%201=1--', 'JOB/%', `JOB/${LONG.slice(0, 9_000)}`, 'http://evil.test/'],
  ...['/reference/../openapi.json', '/dashboard/%2e%2e/package.json', '/dashboard/..%5c..%5cx'],
  ...['/git/x.git/info/refs?service=git-upload-pack%00', '/git/..%2f..%2fx.git/HEAD', '/pulls/%'],
  ...['/api/dashboard/session?x=%', '/healthz#fragment', '/healthz;x=1', '/healthz\\..\\x', '?'],
];
const VERSIONS = [
  'HTTP/0.9',
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/9.9',
  'http/1.1',
  'HTTP/1.1 x',
  'FTP/1.1',
];
const HEADERS = [
  ...['Authorization: Bearer', 'Authorization: Basic eDp5', `Authorization: Bearer ${LONG}`],
  ...['Authorization: Bearer \xff\xfe', `X: ${LONG}`, 'Accept: nonsense', 'Accept: text/html;q=2'],
  ...['If-None-Match: "', 'If-None-Match: *', `If-None-Match: ${'"x",'.repeat(3_000)}`, 'Range: x'],
  ...['Range: bytes=0-,0-,0-', 'Prefer: wait=99999999', 'Prefer: wait=-1', 'Prefer: wait=x'],
  ...['Cookie: docent=\xff', `Cookie: ${'a=b; '.repeat(3_000)}`, 'Origin: null', 'Origin: \xff'],
  ...['X-Forwarded-For: 1.2.3.4, ::1', 'X-Forwarded-For: nonsense', 'X-Forwarded-Host: evil.test'],
  ...['X-HTTP-Method-Override: DELETE', 'Last-Event-ID: -1', 'Accept-Encoding: gzip;q=x'],
  ...['Content-Encoding: gzip', 'Connection: close, x', 'Idempotency-Key: \x01', 'TE: trailers'],
];
const TYPES = [
  ...['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/json; x='],
  ...['application/json; charset=utf-16', 'application/json;charset=nonsense', 'APPLICATION/JSON'],
  ...['application/x-www-form-urlencoded', 'application/json, text/plain', 'x', '/', '', '\xff'],
];
const BODIES = [
  ...['', ' ', 'null', '[]', '0', '""', 'true', '{', '{"prompt":', '{"prompt":"\\u0000"}', 'NaN'],
  ...['{"prompt":"\\ud800"}', '{"prompt":1e999}', '{"prompt":["x"]}', '{"prompt":{"a":1}}'],
  ...['{"__proto__":{"prompt":"x"},"prompt":"x"}', '{"constructor":{"prototype":{}},"prompt":"x"}'],
  ...['{"prompt":"x","prompt":"y"}', '{"prompt":"x","branch":"../x"}', '{"prompt":"x","branch":1}'],
  ...['{"prompt":"x","model":"__proto__"}', '\ufeff{"prompt":"x"}', '{"prompt":"x"}x', "{'a':1}"],
  ...['['.repeat(50_000), `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, `"${LONG}"`],
  ...[`{"prompt":"${'x'.repeat(200_000)}"}`, `[${'0,'.repeat(200_000)}0]`],
].map(text => Buffer.from(text));
BODIES.push(
  Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
  Buffer.from('{"prompt":"\xff"}', 'latin1'),
  Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
);

/** The status of the first answer; undefined if the connection ended without one. */
export function statusOfRaw(port: number, { bytes }: RawCase): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    let text = '';
    const final = () => text.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '');
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(final())?.[1];
      resolve(status === undefined ? undefined : Number(status));
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error('neither an answer nor an end'));
    }, 25_000);
    socket.on('data', chunk => {
      text += chunk.toString('latin1');
      if (final().includes('\r\n\r\n')) finish();
    });
    socket.on('end', finish).on('close', finish).on('error', finish);
  });
}

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const SERVER_SIDE = [
  ...['activities', 'agent', 'api', 'cli', 'db', 'hosts', 'jobs', 'search', 'shared', 'sites'],
  ...['worker', 'workflows'],
];

/** Who may open connections, and why that is no stranger's address. */
const ALLOWED: Record<string, string> = {
  'shared/outgoing/guarded-fetch.ts': 'the guarded client',
  'shared/outgoing/public-address.ts': 'looks up what git will be pinned to',
  'shared/models/http-fetch.ts': 'the model endpoint, which the operator sets',
  'hosts/github/fetch.ts': 'GITHUB_API_URL; follows no redirect to another',
  'hosts/local/host.ts': 'LOCAL_HOST_URL; follows no redirect',
  'shared/metrics/serve-metrics.ts': 'the metrics of Temporal’s SDK in the same process',
  'cli/client/http.ts': 'the command line: its user names the address',
  'cli/client/job-client.ts': 'the same',
  'cli/embedded/temporal-cli.ts': 'one address, written in the source',
  'cli/embedded/web-ui-proxy.ts': 'the embedded Temporal',
  'sites/command/built/built-server.ts': 'docent-check --built: this machine only',
};
const CONNECTS =
  /(?<![.\w'])fetch\(|(?<!\w)(?:http|https|tls|net|http2)\.(?:request|get|connect)\(|from 'node:(?:https|http2|tls|dns|dns\/promises)'|import \{[^}]*\b(?:request|connect|createConnection)\b[^}]*\} from 'node:(?:http|net)'|from '(?:undici|axios|got|node-fetch|ky|needle|superagent)'|new (?:WebSocket|EventSource)\(/;

it('no other module opens a connection to an address', async () => {
  const files = execFileSync('git', ['ls-files', ...SERVER_SIDE], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter(path => /\.(?:ts|mts|mjs)$/.test(path));
  expect(files.length).toBeGreaterThan(300);
  const found: string[] = [];
  for (const path of files)
    if (CONNECTS.test(await readFile(join(ROOT, path), 'utf8').catch(() => ''))) found.push(path);
  // A name that is listed and no longer connects is out of date.
  expect(found.toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
});

it.each([
  'const answer = await fetch(address);',
  'https.request(url)',
  `import { request } from 'node:https';`,
  `import { Agent, request as send } from 'node:http';`,
  `import { connect } from 'node:net';`,
  `import { lookup } from 'node:dns/promises';`,
  `import { fetch as send } from 'undici';`,
  'new WebSocket(url)',
])('%s is recognized', source => expect(source).toMatch(CONNECTS));

it.each([
  'git.fetch({ dir })',
  'refetch(',
  `import type { Socket } from 'node:net';`,
  `import { createServer } from 'node:http';`,
  'async function prefetch(',
])('%s is not', source => expect(source).not.toMatch(CONNECTS));

// A worker's first look at a repository on GitHub, in a process of its own, so that its memory can
// be measured.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitRepositories } from '../../hosts/git/repositories.ts';
import { GitHubHost } from '../../hosts/github/host.ts';
import { GitHubClient } from '../../hosts/github/client.ts';
import { tokenCredentials } from '../../hosts/github/credentials.ts';

const [apiUrl = '', token = '', repository = '', commit = ''] = process.argv.slice(2);
const cache = mkdtempSync(join(tmpdir(), 'docent-bench-cache-'));
const host = new GitHubHost(
  new GitHubClient(
    apiUrl,
    tokenCredentials(token, async () => 1),
  ),
  new GitRepositories(cache, { name: 'Docent', email: 'docent@localhost' }),
);
const idleMb = process.memoryUsage().rss / 1024 ** 2;
const started = performance.now();
const snapshot = await host.snapshot(
  { host: 'github', repository },
  commit,
  new AbortController().signal,
);
const ms = performance.now() - started;
let bytes = 0;
for (const path of snapshot.entries.keys())
  if (path.endsWith('.md')) bytes += (await snapshot.read(path))?.length ?? 0;
process.stdout.write(
  JSON.stringify({
    ms,
    files: snapshot.entries.size,
    pagesMb: bytes / 1024 ** 2,
    idleMb,
    maxMb: process.resourceUsage().maxRSS / 1024,
  }),
);
rmSync(cache, { recursive: true });

import { Command } from 'commander';
import { createKey, listKeys } from '../../db/projects/keys.ts';
import { createOrganization } from '../../db/people/organizations.ts';
import { createProject } from '../../db/projects/projects.ts';
import { registerKey } from '../../cli/commands/key.ts';
import { describeFailure } from '../../cli/output/failure.ts';
import { testDatabase, type TestDatabase } from '../support/services.ts';

let db: TestDatabase;
let organizationId: string;
beforeAll(async () => {
  db = await testDatabase();
  organizationId = (await createOrganization(db.pool, { slug: 'acme', name: 'Acme' })).id;
  await createProject(db.pool, {
    organizationId,
    name: 'Docs',
    domain: 'docs',
    host: 'local',
    repository: 'docs',
    repositoryUrl: 'http://x',
    baseRef: 'main',
  });
});
afterAll(() => db.close());

it.each([
  [
    'assistant',
    ['--project', 'docs', '--address', 'nonsense'],
    '--address must be a string of at most 50 characters: ' +
      'an address, or a range such as 10.0.0.0/8.',
  ],
  [
    'assistant',
    ['--project', 'docs', '--address', '10.0.0.1/8'],
    'The list of allowed addresses takes addresses or networks such as 192.0.2.7 or 10.0.0.0/8, ' +
      'without bits to the right of the mask.',
  ],
  [
    'assistant',
    ['--project', 'docs', '--origin', 'https://a.test', 'nonsense'],
    '--origin must be a string of at most 300 characters: ' +
      'an origin such as https://docs.example.com or https://*.example.com.',
  ],
  ['assistant', [], 'An assistant key belongs to a site: name it with --project.'],
  [
    'admin',
    ['--origin', 'https://a.test'],
    'An admin key is for servers, which send no origin: restrict it with --address.',
  ],
  [
    'admin',
    ['--expires-in-days', 'soon'],
    '--expires-in-days must be a whole number from 1 to 3650.',
  ],
])('a %s key with %j is refused in one sentence', async (kind, flags, sentence) => {
  const program = new Command();
  registerKey(program, { DATABASE_URL: db.url, TEMPORAL_ADDRESS: '127.0.0.1:1' });
  const failed: unknown = await program
    .parseAsync(['key', 'create', '--kind', kind, ...flags], { from: 'user' })
    .catch((error: unknown) => error);
  expect(describeFailure(failed)).toEqual({ text: sentence, exitCode: 2 });
  expect(await listKeys(db.pool, organizationId)).toEqual([]);
});

it('an address that is no network is refused, whoever asks', async () => {
  await expect(
    createKey(db.pool, {
      organizationId,
      kind: 'admin',
      name: 'x',
      allowedAddresses: ['999.0.0.1'],
    }),
  ).rejects.toMatchObject({ code: 'invalid_request', errors: [{ path: 'allowedAddresses' }] });
});

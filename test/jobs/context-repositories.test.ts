import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateContextRepositories } from '../../hosts/context-repositories.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { createOrganization } from '../../shared/db/people/organizations.ts';
import { updateProject } from '../../shared/db/projects/projects.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, EDITOR, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const API = JSON.stringify({
  openapi: '3.1.0',
  paths: {
    '/limits': { get: { responses: { 200: { $ref: '#/components/responses/Limits' } } } },
  },
  components: { responses: { Limits: { headers: { 'X-RateLimit-Limit': {} } } } },
});

describe('a job of a project with context repositories', () => {
  let stack: JobStack;
  let script: ScriptedReply[] = [];
  let commit = '';
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '# Guide\n\nThe first line.\n' },
      script: () => script.shift() ?? { text: 'Done.' },
    });
    const { DATA_DIR: dataDir, PUBLIC_URL: publicUrl = '' } = stack.config;
    for (const name of ['api', 'other']) {
      const source = mkdtempSync(join(tmpdir(), 'docent-context-'));
      writeFileSync(join(source, 'limits.ts'), `export const ${name.toUpperCase()}_LIMIT = 10;\n`);
      writeFileSync(join(source, 'logo.png'), PNG);
      writeFileSync(join(source, 'openapi.json'), API);
      await importRepository({ pool: stack.pool, dataDir, publicUrl }, { name }, source);
      rmSync(source, { recursive: true });
    }
    commit = stack
      .git('--git-dir', join(stack.repository, '../other.git'), 'rev-parse', 'HEAD')
      .trim();
  }, 60_000);
  afterAll(() => stack?.close());

  const allow = async (wanted: { repository: string; ref?: string }[]) => {
    const found = await locateContextRepositories(
      { pool: stack.pool, config: stack.config },
      stack.project.organizationId,
      wanted,
    );
    await updateProject(stack.pool, stack.project.id, { settings: { contextRepositories: found } });
  };
  const results = () =>
    stack.model.requests
      .at(-1)!
      .body.messages.flatMap(({ content }) =>
        typeof content === 'string' ? [] : content.map(block => block.content),
      )
      .filter(content => typeof content === 'string');

  it('reads them with its tools, and changes only its own', async () => {
    await allow([{ repository: 'api' }, { repository: 'other', ref: commit }]);
    script = [
      {
        toolUses: [
          { name: 'list_files', input: { repository: 'api' } },
          { name: 'search_text', input: { pattern: 'limit =', repository: 'API' } },
          {
            name: 'view_files',
            input: { repository: 'other', files: [{ path: 'limits.ts' }] },
          },
          { name: EDITOR, input: { command: 'view', path: 'limits.ts', repository: 'api' } },
          { name: 'read_history', input: { action: 'log', repository: 'other' } },
          { name: 'read_openapi', input: { operation: 'GET /limits', repository: 'api' } },
          { name: 'list_files', input: { repository: 'apii' } },
          { name: EDITOR, input: { command: 'view', path: 'limits.ts' } },
          {
            name: 'add_image',
            input: { path: 'docs/logo.png', from: 'logo.png', repository: 'api' },
          },
        ],
      },
      edit('The first line.', 'The limit is 10. ![Logo](logo.png)'),
      finish('Name the limit'),
    ];
    const { id } = await stack.create('Name the limit of the API');
    expect(await stack.rest(id)).toMatchObject({ prLink: expect.any(String) });
    expect(results()).toEqual([
      'limits.ts\nlogo.png\nopenapi.json',
      '1 line in 1 file:\nlimits.ts:1: export const API_LIMIT = 10;',
      '=== limits.ts ===\n     1\texport const OTHER_LIMIT = 10;',
      '     1\texport const API_LIMIT = 10;',
      expect.stringMatching(/^[0-9a-f]{10} .* Docent: /),
      expect.stringMatching(/^openapi.json: GET \/limits\n[^]*X-RateLimit-Limit/),
      expect.stringContaining('no context repository apii. Did you mean api?'),
      expect.stringContaining('There is no file limits.ts'),
      expect.stringContaining('Added docs/logo.png: PNG image'),
      expect.any(String),
    ]);
    const first = JSON.stringify(stack.model.requests[0]!.body.messages[0]);
    expect(first).toContain('- api: api at main');
    expect(first).toContain(`- other: other at ${commit}`);
    const changed = stack.git('log', '--all', '--name-only', '--format=', '--not', 'main').trim();
    expect(changed.split('\n').toSorted()).toEqual(['docs/guide.md', 'docs/logo.png']);
  }, 60_000);

  it('cannot read one that its organization may not use any more', async () => {
    await allow([{ repository: 'other' }]);
    await createOrganization(stack.pool, { slug: 'umbrella', name: 'Umbrella' });
    script = [
      { toolUses: [{ name: 'list_files', input: { repository: 'other' } }] },
      { text: 'I cannot.' },
    ];
    const { id } = await stack.create('List the other repository');
    await stack.rest(id);
    expect(results()).toEqual([
      expect.stringMatching(/^The repository other cannot be read: .*not a repository that this/),
    ]);
    await expect(allow([{ repository: 'other' }])).rejects.toMatchObject({
      type: 'repository_not_found',
    });
    await expect(allow([{ repository: 'never' }])).rejects.toMatchObject({
      type: 'repository_not_found',
    });
  }, 60_000);
});

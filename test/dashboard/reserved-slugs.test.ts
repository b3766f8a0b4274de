import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESERVED_SLUGS, createOrganization } from '../../db/people/organizations.ts';
import { testDatabase } from '../support/services.ts';

const source = (path: string) => readFileSync(join(import.meta.dirname, '..', '..', path), 'utf8');

const ROUTE_FILES = ['sign-in', 'signed-in', 'organization'].map(
  area => `dashboard/src/routes/${area}-routes.ts`,
);

it('are all that the dashboard’s addresses begin with, besides organizations', () => {
  const routes = [
    ...ROUTE_FILES.map(source)
      .join('\n')
      .matchAll(/getParentRoute: \(\) => (?:root|app),\s*path: '\/([^'/]*)/g),
  ].map(([, first = '']) => first);
  expect(routes).toContain('$organization');
  const files = [
    ...source('api/dashboard/app-files.ts').matchAll(/path\.startsWith\('([^/']+)\/'\)/g),
  ].map(([, first = '']) => first);
  const fixed = new Set([
    ...routes.filter(first => first !== '' && !first.startsWith('$')),
    ...files,
  ]);
  expect([...fixed].toSorted()).toEqual(RESERVED_SLUGS);
});

it('are no organization’s, in either case', async () => {
  const { pool, close } = await testDatabase();
  try {
    for (const slug of [...RESERVED_SLUGS, 'Setup', 'SIGN-IN']) {
      await expect(createOrganization(pool, { slug, name: 'x' })).rejects.toMatchObject({
        code: 'invalid_request',
        message: `"${slug}" cannot be an organization's slug: the dashboard has a page of its own at that address.`,
      });
    }
    expect((await createOrganization(pool, { slug: 'setup-team', name: 'x' })).slug).toBe(
      'setup-team',
    );
  } finally {
    await close();
  }
});

import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTE_TYPES } from '../../shared/jobs/attribute-names.ts';
import { testDatabase, testTemporal } from '../support/services.ts';

describe('the services of a test run', () => {
  it('give each test a migrated database of its own', async () => {
    const [one, two] = await Promise.all([testDatabase(), testDatabase()]);
    await one.pool.query(
      `insert into organizations (id, slug, name) values ('org_1', 'one', 'One')`,
    );
    const { rows } = await two.pool.query<{ count: number }>('select count(*) from organizations');
    expect(rows[0]?.count).toBe(0);
    await Promise.all([one.close(), two.close()]);
    await expect(one.pool.query('select 1')).rejects.toThrow();
  });

  it('include a Temporal server with our search attributes and a month of history', async () => {
    const connection = await Connection.connect({ address: testTemporal().address });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace: 'default',
    });
    expect(Object.keys(customAttributes ?? {})).toEqual(
      expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTE_TYPES)),
    );
    const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 3600);
    await connection.close();
  });
});

import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH } from '../support/replies.ts';
import { until } from '../support/until.ts';

let stack: JobStack;
beforeAll(async () => {
  stack = await startJobStack({
    files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
    script: (_request, index) => (index % 2 === 0 ? EDIT : FINISH),
  });
});
afterAll(() => stack.close());

// A full disk; and what is no outage, such as a table that somebody has just renamed.
it.each([
  ['settled', 'update', 'model_calls', '53100'] as const,
  ['recorded', 'insert', 'transcript_entries', '42P01'] as const,
])(
  'an answer that cannot be %s is kept and stored again, not paid twice',
  async (_name, event, table, code) => {
    const before = stack.model.requests.length;
    await stack.pool.query(
      `create function refuse() returns trigger language plpgsql as
         $$ begin
              if tg_op = 'UPDATE' or new.kind = 'assistant' then
                raise exception 'refused' using errcode = '${code}';
              end if;
              return new;
            end $$;
       create trigger refuse before ${event} on ${table} for each row execute function refuse()`,
    );
    const { id } = await stack.create('Say second');
    await until('it is answered', () => stack.model.requests.length > before);
    await new Promise(resolve => setTimeout(resolve, 4_000));
    expect(stack.model.requests).toHaveLength(before + 1);
    await stack.pool.query('drop function refuse cascade');
    expect(await stack.rest(id, 60_000)).toMatchObject({ status: 'completed' });
    expect(stack.model.requests).toHaveLength(before + 2);
    const { rows } = await stack.pool.query(
      'select outcome, attempt, request_id is not null as named from model_calls where job_id = $1',
      [id],
    );
    expect(rows).toEqual(Array(2).fill({ outcome: 'ok', attempt: 1, named: true }));
  },
  90_000,
);

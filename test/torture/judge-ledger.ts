import type { Installation } from './installation.ts';

interface Row {
  id: string | null;
  outcome: string;
  input: number;
  output: number;
  read: number;
  written: number;
  free: boolean;
}

/**
 * Row by row: each request that the model has met is on the books, once, with what it used; one
 * whose answer's head never arrived is there without an id.
 */
export async function judgeLedger({ pool, model, project }: Installation): Promise<string[]> {
  const { rows } = await pool.query<Row>(
    `select request_id as id, outcome, input_tokens as input, output_tokens as output,
            cache_read_tokens as read, cache_write_tokens as written,
            outcome = 'started' and cost_microusd is not null as free
       from model_calls where project_id = $1`,
    [project.id],
  );
  const said: string[] = [];
  const byId = new Map(rows.flatMap(row => (row.id === null ? [] : [[row.id, row]])));
  const withoutId = rows.filter(({ id }) => id === null);
  let unmatched = 0;
  for (const { requestId, usage } of model.requests) {
    const row = byId.get(requestId);
    if (!row) unmatched += 1;
    else if (row.outcome === 'ok' && usage) {
      const { input, output, cacheRead, cacheWrite } = usage;
      const used = [input, output, cacheRead, cacheWrite].join();
      const entered = [row.input, row.output, row.read, row.written].join();
      if (used !== entered) said.push(`${requestId} used ${used}, the ledger has ${entered}`);
    }
  }
  const known = new Set(model.requests.map(({ requestId }) => requestId));
  for (const id of byId.keys())
    if (!known.has(id)) said.push(`the ledger has ${id}, which the model never answered`);
  if (unmatched > withoutId.length)
    said.push(`${unmatched} requests have no row of theirs; ${withoutId.length} rows have no id`);
  if (byId.size + withoutId.length < rows.length) said.push('a request is in the ledger twice');
  const bold = withoutId.filter(({ outcome }) => outcome === 'ok').length;
  if (bold > 0) said.push(`${bold} answers are in the ledger without the id of their request`);
  const free = rows.filter(row => row.free).length;
  if (free > 0) said.push(`${free} calls without an end cost nothing`);
  return said;
}

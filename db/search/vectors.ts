import type { Queryable, Transaction } from '../pool.ts';

/** As vectors are stored: 32-bit floats, little-endian. */
export function vectorBytes({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The cosine of the angle between a vector and a stored one, both of length 1. */
export function similarity(vector: Float32Array, stored: Buffer): number {
  let product = 0;
  for (let i = 0; i < vector.length; i += 1) product += vector[i]! * stored.readFloatLE(i * 4);
  return product;
}

/** One vector for each section of a page, in order. */
export async function insertVectors(
  tx: Transaction,
  pageId: number,
  vectors: Float32Array[],
): Promise<void> {
  await tx.query(
    `insert into search_vectors (page_id, n, vector)
     select $1, v.n - 1, v.vector from unnest($2::bytea[]) with ordinality as v (vector, n)`,
    [pageId, vectors.map(vectorBytes)],
  );
}

/** The vectors of pages' sections (32-bit floats, little-endian). */
export async function readVectors(
  db: Queryable,
  projectId: string,
  paths: string[],
): Promise<{ path: string; vector: Buffer }[]> {
  const { rows } = await db.query<{ path: string; vector: Buffer }>(
    `select p.path, v.vector from search_pages p join search_vectors v on v.page_id = p.id
      where p.project_id = $1 and p.live and p.path = any($2)`,
    [projectId, paths],
  );
  return rows;
}

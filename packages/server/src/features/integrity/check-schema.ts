import type { CheckedSchema } from '../../storage/check-schema.ts';
import type { Finding } from './check-row.ts';

/** One finding for each object that the migrations would not have created, or would have created differently. */
export function schemaFindings({ differences }: CheckedSchema): Finding[] {
  return differences.map(({ object, ...difference }) => ({ pointer: `/schema/${object}`, ...difference }));
}

/** Whether queries can read the rows: with nothing missing or changed, they return what was stored. */
export function isReadable({ differences }: CheckedSchema): boolean {
  return differences.every(({ code }) => code === 'unexpected_object');
}

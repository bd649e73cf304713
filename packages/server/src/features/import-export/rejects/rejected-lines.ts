import type { ValidationError } from '../../../kernel/problem-details.ts';
import type { RefusedRecord } from './refused-records.ts';

/**
 * Refused records as JSON Lines that can be imported once they are corrected. `rejected` says where a record was read and
 * what is wrong with it, and is ignored by that import. Cells that could not be read are left as they were.
 */
export function rejectedLines(refused: RefusedRecord[]): string {
  return refused.map((record) => `${JSON.stringify(rejectedLine(record))}\n`).join('');
}

function rejectedLine({ source, errors }: RefusedRecord): object {
  const { file, line, value, text } = source;
  const rejected = {
    ...(file !== undefined && { file }),
    line,
    errors,
    ...(value === undefined && text !== undefined && { text }),
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { rejected };
  const repeated = errors.flatMap((error) => (source.isOnly && isRepetition(error) ? error.pointer.slice(1) : []));
  return { ...value, ...Object.fromEntries(repeated.map((field) => [field, undefined])), rejected };
}

/** Without this field the record is incomplete: as it is, it would update the object that an earlier line describes. */
function isRepetition({ pointer, code }: ValidationError): boolean {
  return code === 'already_exists' && ['/id', '/userId', '/workspaceId'].includes(pointer);
}

import { throwIfInvalid } from './failure.ts';
import { pageLimits } from './page-parameters.ts';
import { PlatformIds } from './platform-id.ts';
import type { ValidationError } from './problem-details.ts';

/** The ids of `idsParameter`, none of `others` being given. Refuses with `invalid_content`. */
export function readListedIds(list: string, prefix: string, others: Record<string, unknown>): string[] {
  const platformIds = new PlatformIds();
  const ids = list.split(',').map((id) => platformIds.read(id.trim(), prefix, '/ids'));
  const isFiltered = Object.values(others).some((value) => value !== undefined);
  throwIfInvalid([...platformIds.errors, ...notAllowed(ids, isFiltered)]);
  return ids;
}

function notAllowed(ids: string[], isFiltered: boolean): ValidationError[] {
  const error = { pointer: '/ids', code: 'not_allowed' } as const;
  if (isFiltered) return [{ ...error, detail: 'With ids, omit filters and the order.' }];
  return ids.length <= pageLimits.max ? [] : [{ ...error, detail: `Give at most ${pageLimits.max} ids.` }];
}

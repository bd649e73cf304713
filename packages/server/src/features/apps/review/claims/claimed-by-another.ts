import { dateTime } from '../../../../kernel/date-time.ts';
import { Failure } from '../../../../kernel/failure.ts';
import type { Registry } from '../../../../kernel/registry.ts';
import type { ReviewClaimRow } from '../../../../storage/tables.ts';
import { namesOfActors } from '../../../access/actor-names.ts';

/** Refuses a claim within a write. */
export class ClaimedByAnother extends Error {
  readonly claim: ReviewClaimRow;

  constructor(claim: ReviewClaimRow) {
    super('the app is claimed by another reviewer');
    this.claim = claim;
  }
}

/** What to throw instead of an error: the refusal that names the other reviewer, whose name is read after the write. */
export async function orAppClaimed(registry: Registry, error: unknown): Promise<unknown> {
  if (!(error instanceof ClaimedByAnother)) return error;
  const { actor, claimed_at: at, expires_at: until } = error.claim;
  const name = (await namesOfActors(registry, [actor])).get(actor);
  const who = name === undefined ? actor : `${JSON.stringify(name)} (${actor})`;
  return new Failure(
    'app_claimed',
    `Another reviewer, ${who}, claimed the app at ${dateTime(at)}, until ${dateTime(until)}. Review another app, wait, or take this one over with "takeOver" (--take-over).`,
  );
}

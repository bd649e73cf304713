import type { ReviewClaimRow } from '../../../storage/tables.ts';
import { dateTime } from '../../date-time.ts';
import { Failure } from '../../failure.ts';
import type { Registry } from '../../registry.ts';
import { namesOfActors } from '../../tokens/actor-names.ts';

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
    `The app was claimed at ${dateTime(at)}, until ${dateTime(until)}, by another reviewer: ${who}. Take another app, wait, or take it over with "takeOver" (--take-over).`,
  );
}

import Type from 'typebox';
import { Failure } from '../../../kernel/failure.ts';
import { write } from '../../../kernel/idempotency.ts';
import { AppId } from '../../../kernel/ids.ts';
import { byId, operation } from '../../../kernel/operation.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { dateTime, optional } from '../../../kernel/text.ts';
import { trustedTime } from '../../../kernel/time.ts';
import type { ReviewClaimRow } from '../../../storage/tables.ts';
import { namesOfActors } from '../../access/actor-names.ts';
import { lockApp } from '../change-app.ts';
import { deleteClaim, deleteClaimsUntil, findClaim, insertClaim, listClaims } from './review-queries.ts';
import { ReviewClaim } from './review-status.ts';

const app = '/operator/v1/apps/:id';

/** How long a claim lasts. */
const claimMs = 900_000;

/** How far the clocks of two machines may differ. */
const clockDifferenceMsMax = 60_000;

const NewClaim = Type.Object(
  {
    takeOver: Type.Optional(Type.Boolean({ description: 'Whether to take over the claim of another reviewer.' })),
  },
  { $id: 'NewClaim', additionalProperties: false },
);

const EndedClaim = Type.Object(
  { appId: AppId, wasClaimed: Type.Boolean({ description: 'Whether the caller had claimed the app.' }) },
  { $id: 'EndedClaim' },
);

/** Claims an app, or renews the claim of the same caller. Any decision, a withdrawal or a deletion ends it. */
const claimApp = operation({
  id: 'claimApp',
  method: 'POST',
  path: `${app}/claim`,
  summary: 'Claim an app for review',
  description:
    'Shows other reviewers for 15 minutes who is reviewing the app; claiming it again renews the claim. A claim does not block decisions. It ends with a decision and when the app is withdrawn or deleted. Claims are not recorded as events.',
  scope: 'review',
  body: NewClaim,
  isBodyOptional: true,
  response: ReviewClaim,
  refusals: ['app_not_found', 'app_claimed'],
  command: {
    name: 'app claim',
    description:
      'Claim an app for 15 minutes, or renew your claim, so that other reviewers see it. A claim does not block decisions.',
    arguments: { id: 'the app id' },
    options: { takeOver: 'take over the claim of another reviewer' },
    recordsEvent: false,
    examples: ['app-registry app claim app_01jq3v9y6ae0xv5m6b7k8c9d0e'],
  },
  async run({ registry, caller, params: { id: appId }, body: { takeOver = false } }) {
    const { actor } = caller;
    const row = await write<ReviewClaimRow>(registry, caller, async (transaction) => {
      // Of two reviewers at once, the second one finds the claim of the first.
      await lockApp(transaction, appId);
      const found = await findClaim(transaction, { appId });
      const current = found && isCurrent(registry, found) ? found : null;
      if (current && current.actor !== actor && !takeOver) throw new ClaimedByAnother(current);
      const at = registry.now();
      const claimedAt = current?.actor === actor ? current.claimed_at : at;
      const claim = { app_id: appId, actor, claimed_at: claimedAt, expires_at: at + claimMs };
      await deleteClaim(transaction, { appId });
      await insertClaim(transaction, claim);
      return claim;
    }).catch((error: unknown) => refuseClaimed(registry, error));
    return claimView(row, await namesOfActors(registry, [actor]));
  },
});

const releaseApp = operation({
  id: 'releaseApp',
  method: 'POST',
  path: `${app}/release`,
  summary: 'Release your claim of an app',
  scope: 'review',
  response: EndedClaim,
  refusals: ['app_not_found', 'app_claimed'],
  command: {
    name: 'app release',
    description: 'End your claim of an app.',
    arguments: { id: 'the app id' },
    recordsEvent: false,
    examples: ['app-registry app release app_01jq3v9y6ae0xv5m6b7k8c9d0e'],
  },
  async run({ registry, caller, params: { id: appId } }) {
    return write(registry, caller, async (transaction) => {
      await lockApp(transaction, appId);
      const claim = await findClaim(transaction, { appId });
      if (!claim || !isCurrent(registry, claim)) return { appId, wasClaimed: false };
      if (claim.actor !== caller.actor) throw new ClaimedByAnother(claim);
      await deleteClaim(transaction, { appId });
      return { appId, wasClaimed: true };
    }).catch((error: unknown) => refuseClaimed(registry, error));
  },
});

/** Who is reviewing which app. */
export const reviewClaimOperations = byId(claimApp, releaseApp);

/** The claims of these apps that have not expired. */
export async function currentClaims(registry: Registry, appIds: string[]): Promise<ReviewClaimRow[]> {
  const stored = await listClaims(registry.storage.reader, appIds);
  return stored.filter((row) => isCurrent(registry, row));
}

/** Deletes the claims that have expired. Returns their number. */
export async function pruneClaims(registry: Registry): Promise<number> {
  const time = await trustedTime(registry);
  return registry.storage.write((transaction) => deleteClaimsUntil(transaction, { time }));
}

/**
 * Whether a claim has not expired. One that would last longer than a new claim was made by a clock that was ahead, and
 * is not current.
 */
function isCurrent({ now }: Registry, { expires_at: expiresAt }: ReviewClaimRow): boolean {
  const leftMs = expiresAt - now();
  return leftMs > 0 && leftMs <= claimMs + clockDifferenceMsMax;
}

/** A claim, with the name of its actor if the names have it. */
export function claimView({ actor, claimed_at, expires_at }: ReviewClaimRow, names: Map<string, string>): ReviewClaim {
  return {
    actor,
    ...optional({ actorName: names.get(actor) ?? null }),
    claimedAt: dateTime(claimed_at),
    expiresAt: dateTime(expires_at),
  };
}

/** Refuses a claim within a write. */
class ClaimedByAnother extends Error {
  readonly claim: ReviewClaimRow;

  constructor(claim: ReviewClaimRow) {
    super('the app is claimed by another reviewer');
    this.claim = claim;
  }
}

/** Throws an error again, or the refusal that names the other reviewer, whose name is read after the write. */
async function refuseClaimed(registry: Registry, error: unknown): Promise<never> {
  if (!(error instanceof ClaimedByAnother)) throw error;
  const { actor, claimed_at: at, expires_at: until } = error.claim;
  const name = (await namesOfActors(registry, [actor])).get(actor);
  const who = name === undefined ? actor : `${JSON.stringify(name)} (${actor})`;
  throw new Failure(
    'app_claimed',
    `Another reviewer, ${who}, claimed the app at ${dateTime(at)}, until ${dateTime(until)}. Review another app, wait, or take this one over with \`takeOver\`.`,
  );
}

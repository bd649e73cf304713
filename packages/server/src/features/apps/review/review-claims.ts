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
import {
  type ClaimFilter,
  deleteClaim,
  deleteClaimsUntil,
  deletePresenceUntil,
  findClaim,
  findPresence,
  insertClaim,
  listClaims,
  listPresence,
  storePresence,
} from './review-queries.ts';
import { type ClaimKind, claimKinds, ReviewClaim } from './review-status.ts';

const app = '/operator/v1/apps/:id';

/** How long a claim lasts. */
const lifetimesMs: Record<ClaimKind, number> = { assignment: 900_000, presence: 60_000 };

/** How far the clocks of two machines may differ. */
const clockDifferenceMsMax = 60_000;

const NewClaim = Type.Object(
  {
    kind: Type.Optional(
      Type.Unsafe<ClaimKind>({
        type: 'string',
        enum: claimKinds,
        description:
          '`assignment` (default) assigns the app to the caller. `presence` shows that the caller looks at it, and is never refused because of another claim.',
      }),
    ),
    takeOver: Type.Optional(
      Type.Boolean({
        description: 'Whether to take over the assignment of another reviewer. Not allowed with a presence.',
      }),
    ),
  },
  { $id: 'NewClaim', additionalProperties: false },
);

const EndedClaim = Type.Object(
  { appId: AppId, wasClaimed: Type.Boolean({ description: 'Whether the caller had claimed the app.' }) },
  { $id: 'EndedClaim' },
);

/** Claims an app, or renews the claim of the same caller. Any decision, a withdrawal or a deletion ends an assignment. */
const claimApp = operation({
  id: 'claimApp',
  method: 'POST',
  path: `${app}/claim`,
  summary: 'Claim an app for review',
  description:
    'Shows other reviewers who is reviewing the app. An assignment lasts 15 minutes, a presence 1 minute, and claiming the app again renews either. An app is assigned to one reviewer at most, and several can be present. A reviewer is present at one app: the last one that they claimed so. A claim does not block decisions. A decision, a withdrawal and the deletion of the app end an assignment. Claims are not recorded as events.',
  scope: 'review',
  body: NewClaim,
  isBodyOptional: true,
  bodyErrors(body) {
    const { kind, takeOver } = Object(body);
    if (kind !== 'presence' || !takeOver) return [];
    return [{ pointer: '/takeOver', code: 'not_allowed', detail: 'A presence takes nothing over. Omit takeOver.' }];
  },
  response: ReviewClaim,
  refusals: ['app_not_found', 'app_claimed'],
  command: {
    name: 'app claim',
    description:
      'Assign an app to yourself for 15 minutes, or renew that, so that other reviewers see it. A claim does not block decisions.',
    arguments: { id: 'the app id' },
    options: {
      kind: '<kind> assignment (default), or presence: show for a minute that you look at the app',
      takeOver: 'take over the assignment of another reviewer',
    },
    recordsEvent: false,
    examples: ['app-registry app claim app_01jq3v9y6ae0xv5m6b7k8c9d0e'],
  },
  async run({ registry, caller, params: { id: appId }, body: { kind = 'assignment', takeOver = false } }) {
    const { actor } = caller;
    const row = await write<ReviewClaimRow>(registry, caller, async (transaction) => {
      // Of two reviewers at once, the second one finds the claim of the first.
      await lockApp(transaction, appId);
      const isPresence = kind === 'presence';
      const found = await (isPresence ? findPresence(transaction, { actor }) : findClaim(transaction, { appId }));
      const current = found?.app_id === appId && isCurrent(registry, kind, found) ? found : null;
      if (current && current.actor !== actor && !takeOver) throw new ClaimedByAnother(current);
      const at = registry.now();
      const claimedAt = current?.actor === actor ? current.claimed_at : at;
      const claim = { app_id: appId, actor, claimed_at: claimedAt, expires_at: at + lifetimesMs[kind] };
      if (isPresence) {
        await storePresence(transaction, claim);
      } else {
        await deleteClaim(transaction, { appId });
        await insertClaim(transaction, claim);
      }
      return claim;
    }).catch((error: unknown) => refuseClaimed(registry, error));
    return claimView(kind, row, await namesOfActors(registry, [actor]));
  },
});

const releaseApp = operation({
  id: 'releaseApp',
  method: 'POST',
  path: `${app}/release`,
  summary: 'Release your assignment of an app',
  scope: 'review',
  response: EndedClaim,
  refusals: ['app_not_found', 'app_claimed'],
  command: {
    name: 'app release',
    description: 'End your assignment of an app.',
    arguments: { id: 'the app id' },
    recordsEvent: false,
    examples: ['app-registry app release app_01jq3v9y6ae0xv5m6b7k8c9d0e'],
  },
  async run({ registry, caller, params: { id: appId } }) {
    return write(registry, caller, async (transaction) => {
      await lockApp(transaction, appId);
      const claim = await findClaim(transaction, { appId });
      if (!claim || !isCurrent(registry, 'assignment', claim)) return { appId, wasClaimed: false };
      if (claim.actor !== caller.actor) throw new ClaimedByAnother(claim);
      await deleteClaim(transaction, { appId });
      return { appId, wasClaimed: true };
    }).catch((error: unknown) => refuseClaimed(registry, error));
  },
});

/** Who is reviewing which app. */
export const reviewClaimOperations = byId(claimApp, releaseApp);

/** What an app shows of its claims. */
interface CurrentClaims {
  claim?: ReviewClaim;
  presence?: ReviewClaim[];
}

/** The claims of these apps that have not expired, by the ids of the apps that have any. */
export async function currentClaims(registry: Registry, appIds: string[]): Promise<Map<string, CurrentClaims>> {
  const { reader } = registry.storage;
  const [assignments, presence] = await Promise.all([listClaims(reader, appIds), listPresence(reader, appIds)]);
  const current = {
    assignment: assignments.filter((row) => isCurrent(registry, 'assignment', row)),
    presence: presence.filter((row) => isCurrent(registry, 'presence', row)),
  };
  const names = await namesOfActors(
    registry,
    Object.values(current).flatMap((rows) => rows.map(({ actor }) => actor)),
  );
  const claims = new Map<string, CurrentClaims>();
  for (const row of current.assignment) claims.set(row.app_id, { claim: claimView('assignment', row, names) });
  for (const [appId, rows] of Map.groupBy(current.presence, ({ app_id }) => app_id)) {
    claims.set(appId, { ...claims.get(appId), presence: rows.map((row) => claimView('presence', row, names)) });
  }
  return claims;
}

/** The assignments of an actor that have not expired, as a filter. */
export function currentClaimsOf({ now }: Registry, actor: string): ClaimFilter {
  const at = now();
  return { actor, after: at, until: at + lifetimesMs.assignment + clockDifferenceMsMax };
}

/** Deletes the claims that have expired. Returns their number. */
export async function pruneClaims(registry: Registry): Promise<number> {
  const time = await trustedTime(registry);
  return registry.storage.write(
    async (transaction) =>
      (await deleteClaimsUntil(transaction, { time })) + (await deletePresenceUntil(transaction, { time })),
  );
}

/**
 * Whether a claim has not expired. One that would last longer than a new claim was made by a clock that was ahead, and
 * is not current.
 */
function isCurrent({ now }: Registry, kind: ClaimKind, { expires_at: expiresAt }: ReviewClaimRow): boolean {
  const leftMs = expiresAt - now();
  return leftMs > 0 && leftMs <= lifetimesMs[kind] + clockDifferenceMsMax;
}

function claimView(
  kind: ClaimKind,
  { actor, claimed_at, expires_at }: ReviewClaimRow,
  names: Map<string, string>,
): ReviewClaim {
  return {
    kind,
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

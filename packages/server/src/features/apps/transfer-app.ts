import { requirePlatformId } from '../../kernel/check.ts';
import { write } from '../../kernel/idempotency.ts';
import { newId } from '../../kernel/ids.ts';
import { operation } from '../../kernel/operation.ts';
import { newRevisionNonce, requireRevision } from '../../kernel/revision.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow } from '../../storage/tables.ts';
import { lockDeveloper } from '../developers/change-developer.ts';
import { requireRecipient } from '../developers/suspended-developer.ts';
import { appendEvents, type ChangeContext } from '../events/append-event.ts';
import type { EventData } from '../events/event.ts';
import { type CausesChange, storedCauses } from '../installations/installation.ts';
import { changeCauses, installationsOfApp } from '../installations/installation-changes.ts';
import { findLogo, insertLogo, listLogosForShare } from '../logos/logo-queries.ts';
import { approvedContent, snapshotText } from './app-content.ts';
import { OperatorApp, Transfer } from './app-schemas.ts';
import { operatorView } from './app-view.ts';
import { lockApp, readChangesToApproved, revisionData, storeApp } from './change-app.ts';
import { nextApp, undecidedColumns } from './next-app.ts';

/**
 * The transfer makes a new revision, so an earlier decision never applies to the new developer. A logo belongs to one
 * developer and other apps may show it, so the new developer gets copies of the current and the approved logo. An app of a
 * suspended developer leaves the suspension, but if it was APPROVED, it stays REJECTED until it is approved again.
 */
export const transferApp = operation({
  id: 'transferApp',
  method: 'POST',
  path: '/operator/v1/apps/:id/transfer',
  summary: 'Transfer an app to another developer',
  description:
    'Transfers the app with its review status, installations and history. Creates a new revision and copies its logos to the new developer.',
  scope: 'admin',
  body: Transfer,
  ifMatch: true,
  response: OperatorApp,
  refusals: ['app_not_found', 'developer_not_found', 'developer_suspended'],
  command: {
    name: 'app transfer',
    description:
      'Transfer an app to another developer, with its review status, installations and history. Creates a new revision and copies the logos to the new developer.',
    arguments: { id: 'the app id' },
    options: { developerId: '--developer <id> the user id of the new developer, as a TypeID or UUID' },
    examples: ['app-registry app transfer app_01jq3v9y6ae0xv5m6b7k8c9d0e --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c'],
  },
  async run({ registry, caller, params: { id }, body, ...call }) {
    const developerId = requirePlatformId(body.developerId, registry.userIdPrefix, '/developerId');
    return write(registry, caller, async (transaction) => {
      // The developer is locked first: a write that changes a developer also locks their apps last.
      const recipient = await lockDeveloper(transaction, developerId);
      const before = await lockApp(transaction, id);
      requireRevision(registry, before, call);
      const changesToApproved = await readChangesToApproved(transaction);
      if (before.developer_id === developerId) return operatorView(registry, before, changesToApproved);
      requireRecipient(recipient);
      const at = registry.now();
      const logos = await copyLogos(transaction, { caller, at }, { app: before, developerId });
      const after = nextApp(before, transferred(before, { developerId, logos, at }), { at, changesToApproved });
      const owners = { before: ownerData(before), after: ownerData(after) };
      const change = { type: 'app.transferred', appId: id, subjectId: id, ...owners } as const;
      await storeApp(transaction, { caller, at }, { before, after, changesToApproved, change });
      if (before.suspended_status !== null) await endSuspension(transaction, { caller, at }, before);
      return operatorView(registry, after, changesToApproved);
    });
  },
});

/** Installations of an app that was APPROVED wait for its next approval; the others are no longer disabled by the suspension. */
async function endSuspension(transaction: Connection, context: ChangeContext, app: AppRow): Promise<void> {
  const isRevoked = app.suspended_status === 'APPROVED';
  const change: CausesChange = { remove: 'suspension', ...(isRevoked && { add: 'revocation' }) };
  for await (const all of installationsOfApp(transaction, app.id)) {
    const rows = all.filter((row) => storedCauses(row).includes('suspension'));
    await changeCauses(transaction, context, { rows, ...change });
  }
}

/** Returns the ids of the copies, by the ids of the originals. */
async function copyLogos(
  transaction: Connection,
  context: ChangeContext,
  { app, developerId }: { app: AppRow; developerId: string },
): Promise<Map<string, string>> {
  const copies = new Map<string, string>();
  const originals = [app.logo_id, approvedContent(app)?.logo_id].filter((id) => typeof id === 'string');
  // A block or its end, which reaches the copies, comes before or after.
  if (originals.length > 0) await listLogosForShare(transaction, originals);
  for (const logoId of new Set(originals)) {
    const logo = await findLogo(transaction, { id: logoId });
    if (!logo) continue;
    const id = newId('logo');
    await insertLogo(transaction, { ...logo, id, developer_id: developerId, created_at: context.at, updated_at: null });
    copies.set(logoId, id);
  }
  await appendEvents(transaction, {
    ...context,
    changes: [...copies].map(([copyOf, subjectId]) => ({
      type: 'logo.created',
      subjectId,
      after: { developerId, copyOf },
    })),
  });
  return copies;
}

function transferred(
  app: AppRow,
  { developerId, logos, at }: { developerId: string; logos: Map<string, string>; at: number },
): Partial<AppRow> {
  const approved = approvedContent(app);
  const copyOf = (id: string | null) => (id === null ? null : (logos.get(id) ?? null));
  return {
    developer_id: developerId,
    revision: app.revision + 1,
    logo_id: copyOf(app.logo_id),
    // A copy is the same image: the approval holds.
    ...(approved && { approved_content: snapshotText({ ...approved, logo_id: copyOf(approved.logo_id) }) }),
    // A transfer is not a change that awaits a decision, but the new developer awaits one.
    change_since: app.change_since,
    suspended_status: null,
    ...(app.review_status === 'APPROVED' && { transfer_since: app.transfer_since || at, ...approvedAnew(app) }),
  };
}

/**
 * A transfer can be approved without the change of the app, or after its rejection. So the approved content gets a new
 * revision then, with no event of its own and just before the current one: no decision on an earlier one means this transfer.
 */
function approvedAnew(app: AppRow): Partial<AppRow> {
  if (undecidedColumns(app).length === 0) return {};
  return {
    revision: app.revision + 2,
    approved_revision: app.revision + 1,
    approved_revision_nonce: newRevisionNonce(),
    cleared_since_approval: app.cleared_since_approval,
  };
}

function ownerData(app: AppRow): EventData['app.transferred']['before'] {
  const approvedLogoId = approvedContent(app)?.logo_id;
  return {
    developerId: app.developer_id,
    logoId: app.logo_id,
    ...(approvedLogoId && approvedLogoId !== app.logo_id && { approvedLogoId }),
    ...revisionData(app),
  };
}

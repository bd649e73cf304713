import { findApp } from '../../../server/src/features/apps/app-queries.ts';
import type { ReviewStep } from '../../../server/src/features/apps/review/review-status.ts';
import { operatorOperations } from '../../../server/src/features/operations.ts';
import { isTypeId } from '../../../server/src/kernel/ids.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { type Caller, commandLine, type Registry } from '../../../server/src/kernel/registry.ts';
import { revisionETag } from '../../../server/src/kernel/revision.ts';

const {
  listAppDecisions: decisions,
  claimApp: claim,
  releaseApp: release,
  createAppNote: create,
  listAppNotes: list,
  deleteAppNote: remove,
  listReviewQueue: queue,
  getReviewQueueCounts: counts,
  getAppRevision,
} = operatorOperations;
const steps = {
  submit: operatorOperations.submitApp,
  withdraw: operatorOperations.withdrawApp,
  approve: operatorOperations.approveApp,
  reject: operatorOperations.rejectApp,
  'reject-change': operatorOperations.rejectAppChange,
  revoke: operatorOperations.revokeApp,
};

export function claimApp(
  registry: Registry,
  caller: Caller,
  { appId, claim: body }: { appId: string; claim: unknown },
) {
  return runOperation(claim, registry, { caller, params: { id: appId }, body });
}

export function releaseApp(registry: Registry, caller: Caller, id: string) {
  return runOperation(release, registry, { caller, params: { id } });
}

export function listAppNotes(registry: Registry, { appId, query }: { appId: string; query: object }) {
  return runOperation(list, registry, { caller: commandLine, params: { id: appId }, query: { ...query } });
}

export function createAppNote(
  registry: Registry,
  caller: Caller,
  { appId, note: body }: { appId: string; note: unknown },
) {
  return runOperation(create, registry, { caller, params: { id: appId }, body });
}

/** With `ofAnyone` as a caller who may delete the notes of others too. */
export function deleteAppNote(
  registry: Registry,
  caller: Caller,
  { appId, noteId, ofAnyone }: { appId: string; noteId: string; ofAnyone: boolean },
) {
  const scopes = [ofAnyone ? ('admin' as const) : ('review' as const)];
  return runOperation(remove, registry, { caller, scopes, params: { id: appId, noteId } });
}

interface ReviewInput {
  appId: string;
  step: ReviewStep;
  details?: object;
  /** The number or the `ETag` of the reviewed revision; the current one by default. */
  revision?: number | string | undefined;
}

export function getReviewQueueCounts(registry: Registry, caller: Caller = commandLine) {
  return runOperation(counts, registry, { caller });
}

/** Takes a step of review. */
export async function reviewApp(
  registry: Registry,
  caller: Caller,
  { appId: id, step, details = {}, revision }: ReviewInput,
) {
  const isDecision = step === 'approve' || step === 'reject' || step === 'reject-change';
  const body = isDecision ? { revision: await reviewedTag(registry, id, revision), ...details } : details;
  return runOperation(steps[step], registry, { caller, params: { id }, body });
}

async function reviewedTag(registry: Registry, id: string, revision?: number | string) {
  if (typeof revision === 'string') return revision;
  const row = isTypeId(id, 'app') ? await findApp(registry.storage.reader, { id }) : null;
  if (row && (revision ?? row.revision) === row.revision) return revisionETag(registry, row);
  const params = { id, revision: `${revision}` };
  return runOperation(getAppRevision, registry, { caller: commandLine, params }).then(
    ({ etag = '' }) => etag,
    () => `"${revision}"`,
  );
}

/** With `showsNotes` as a caller who may read what is only for reviewers. */
interface QueueInput {
  query: object;
  showsNotes: boolean;
  caller?: Caller;
}

export function listReviewQueue(registry: Registry, { query, showsNotes, caller = commandLine }: QueueInput) {
  return runOperation(queue, registry, { caller, scopes: scopesOf(showsNotes), query: { ...query } });
}

/** With `showsNotes` as a caller who may read what is only for reviewers. */
export function listAppDecisions(
  registry: Registry,
  { appId: id, query, showsNotes }: { appId: string; query: object; showsNotes: boolean },
) {
  const scopes = scopesOf(showsNotes);
  return runOperation(decisions, registry, { caller: commandLine, scopes, params: { id }, query: { ...query } });
}

function scopesOf(showsNotes: boolean) {
  return [showsNotes ? ('admin' as const) : ('portal' as const)];
}

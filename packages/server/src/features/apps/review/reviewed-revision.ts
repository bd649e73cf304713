import { Failure } from '../../../kernel/failure.ts';
import { requireAppId } from '../../../kernel/ids.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { isNamed, newRevisionNonce } from '../../../kernel/revision.ts';
import type { Connection } from '../../../storage/query.ts';
import type { AppContent, AppRow } from '../../../storage/tables.ts';
import { approvedContent, contentIn } from '../app-content.ts';
import { findApp } from '../app-queries.ts';
import { type AppRevision, findRevision, readHistory } from '../revisions/revision-history.ts';
import { findLastRejectedChange } from './review-queries.ts';
import type { ReviewStep } from './review-status.ts';
import { describeDecision, hasTransfer } from './transitions.ts';

/** The revision that a step is about. */
export interface ReviewedRevision {
  revision: number;
  revisionNonce: string;
  content: AppContent;
  /** When the revision after it was made; null for the current one, and where only the new developer is decided on. */
  nextAt: number | null;
}

interface Named {
  appId: string;
  step: ReviewStep;
  /** The `ETag` that a decision names, with or without its quotes. */
  revision?: string | undefined;
}

/**
 * Before the write: the revision of a live app that a decision about its change names. Its content never changes, and an app
 * may have more revisions than a write should read. Null when the decision can only be about the current revision.
 */
export async function findNamedRevision(
  registry: Registry,
  { appId, step, revision }: Named,
): Promise<AppRevision | Failure | null> {
  if (!isAboutChange(step) || revision === undefined) return null;
  const name = unquoted(revision);
  try {
    requireAppId(appId);
    const now = await findApp(registry.storage.reader, { id: appId });
    // Also of an app that is not approved now: it may be approved, and even edited, before the write.
    if (!now) return null;
    return await readHistory(registry, appId, (snapshot, app) => findRevision(registry, snapshot, { app, name }));
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/**
 * Within the write: the revision that a step is about, which is the current one unless a decision about a change names an
 * earlier one. Refuses with `revision_mismatch`, `review_status_conflict` or, when it is archived, `revision_archived`.
 */
export async function reviewedRevision(
  registry: Registry,
  transaction: Connection,
  { app, step, revision, named }: Omit<Named, 'appId'> & { app: AppRow; named: AppRevision | Failure | null },
): Promise<ReviewedRevision> {
  const isCurrent = revision === undefined || isNamed(registry, app, [unquoted(revision)]);
  const reviewed = isCurrent ? currentRevision(app) : await earlier(registry, transaction, { app, step, named });
  if (app.review_status !== 'APPROVED' || !isAboutChange(step)) return reviewed;
  if (step === 'approve' && hasTransfer(app) && reviewed.revision === app.approved_revision) {
    // The approved content stays as it is, and so does a change that awaits a decision or is rejected.
    return { ...reviewed, content: approvedContent(app) ?? reviewed.content, nextAt: null };
  }
  await requireUndecided(transaction, { app, reviewed });
  return reviewed;
}

function unquoted(tag: string): string {
  return tag.replace(/^"(.*)"$/, '$1');
}

function isAboutChange(step: ReviewStep): boolean {
  return step === 'approve' || step === 'reject-change';
}

/** The revision that an app is at. */
export function currentRevision(app: AppRow): ReviewedRevision {
  return { revision: app.revision, revisionNonce: app.revision_nonce, content: contentIn(app), nextAt: null };
}

async function earlier(
  registry: Registry,
  transaction: Connection,
  { app, step, named }: Pick<Named, 'step'> & { app: AppRow; named: AppRevision | Failure | null },
): Promise<ReviewedRevision> {
  if (app.review_status === 'APPROVED' && isAboutChange(step)) {
    if (named && !(named instanceof Failure)) {
      const content = { ...named.content, logo_id: named.logoId };
      const { revision, nextAt } = named;
      return {
        revision,
        // Its nonce is archived with its event, but what is decided on has a tag.
        revisionNonce: named.revisionNonce ?? newRevisionNonce(),
        content,
        nextAt: nextAt ?? (await followedAt(registry, transaction, { app, revision })),
      };
    }
    if (named?.code === 'revision_archived') throw named;
    throw new Failure(
      'revision_mismatch',
      `The app is now at revision ${app.revision} and has no earlier revision that matches. Give the revision that was reviewed.`,
    );
  }
  throw new Failure(
    'revision_mismatch',
    `The app is now at revision ${app.revision}, which is not the reviewed one. Review the current revision.`,
  );
}

/** When a revision was followed that was the current one before the write: only few are newer. */
async function followedAt(
  registry: Registry,
  transaction: Connection,
  { app, revision }: { app: AppRow; revision: number },
): Promise<number> {
  const next = await findRevision(registry, transaction, { app, name: revision + 1 });
  return next.at ?? app.updated_at;
}

/** Refuses a revision of a live app that is decided already, or older than one that is. */
async function requireUndecided(
  transaction: Connection,
  { app, reviewed: { revision } }: { app: AppRow; reviewed: ReviewedRevision },
): Promise<void> {
  const approved = app.approved_revision ?? 0;
  if (revision <= approved) {
    const what = revision === approved ? 'is already approved' : `is older than the approved one, ${approved}`;
    const advice = `Give a later one, up to ${app.revision}, or revert the app to earlier content.`;
    throw new Failure('review_status_conflict', `Revision ${revision} ${what}. ${advice}`);
  }
  // The last decision may be about a transfer alone.
  const rejected = await findLastRejectedChange(transaction, { appId: app.id });
  const isLater = !rejected || revision > rejected.revision;
  // A switch to live changes has put what was rejected into the queue again; a transfer has not.
  if (app.change_since !== 0 && (isLater || rejected.revision === app.revision)) return;
  const decision = rejected ? ` ${describeDecision(rejected)}` : '';
  const later = revision < app.revision ? ` Review a later revision, up to ${app.revision}.` : '';
  const transfer = hasTransfer(app) ? ` To approve only the transfer, give the approved revision, ${approved}.` : '';
  throw new Failure('review_status_conflict', `Revision ${revision} is already decided.${decision}${later}${transfer}`);
}

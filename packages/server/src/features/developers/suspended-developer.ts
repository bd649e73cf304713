import { Failure } from '../../kernel/failure.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow, DeveloperRow } from '../../storage/tables.ts';
import { findDeveloper, findDeveloperForShare } from './developer-queries.ts';

/** Whether a developer is suspended now. One who is unknown is not. */
export async function isSuspended({ storage }: Registry, userId: string): Promise<boolean> {
  const developer = await findDeveloper(storage.reader, { userId });
  return developer !== null && developer.suspended_at !== null;
}

/**
 * Inside a write that gives a developer an app or a token: the developer, whom no other write suspends until it ends, so
 * that nothing of theirs remains unmarked. Null when there is none.
 */
export function findDeveloperDuring(transaction: Connection, userId: string): Promise<DeveloperRow | null> {
  return findDeveloperForShare(transaction, { userId });
}

/** Refuses what a suspension forbids: submitting, approving and installing an app. The app is locked. */
export function requireNotSuspended(app: Pick<AppRow, 'suspended_status' | 'developer_id'>): void {
  if (app.suspended_status === null) return;
  throw new Failure(
    'developer_suspended',
    `The developer of the app, ${app.developer_id}, is suspended, so the app cannot be submitted, approved, installed or enabled. End the suspension first, or transfer the app to another developer.`,
  );
}

/** Refuses to give an app to a suspended developer. */
export function requireRecipient({ user_id: userId, suspended_at: suspendedAt }: DeveloperRow): void {
  if (suspendedAt === null) return;
  throw new Failure(
    'developer_suspended',
    `The developer ${userId} is suspended and cannot receive an app. End the suspension first, or choose another developer.`,
  );
}

/**
 * The columns of an app that the suspension of its developer changes: it is no longer APPROVED, and awaits no decision.
 */
export function suspendedColumns(
  app: AppRow,
  { suspension_reason: reason }: Pick<DeveloperRow, 'suspension_reason'>,
): Partial<AppRow> {
  const { suspended_status: earlier, review_status: status } = app;
  // An import may have approved an app of a suspended developer.
  if (status !== 'APPROVED') return { suspended_status: earlier ?? status };
  return { suspended_status: status, review_status: 'REJECTED', rejection_reason: reason };
}

/**
 * The columns that the end of the suspension changes: the app gets its earlier status again. An app that was decided on
 * meanwhile keeps the status of the decision.
 */
export function unsuspendedColumns(app: AppRow): Partial<AppRow> {
  const { suspended_status: status } = app;
  if (status !== 'APPROVED' || isDecided(app)) return { suspended_status: null };
  return { suspended_status: null, review_status: status, rejection_reason: null };
}

/** Whether an app no longer has the status that the suspension left it. */
export function isDecided({ review_status: status, suspended_status: before }: AppRow): boolean {
  return before !== null && status !== (before === 'APPROVED' ? 'REJECTED' : before);
}

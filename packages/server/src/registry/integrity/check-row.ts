import { reviewStatuses } from '../../contract/review.ts';
import type { AppContent, AppRow, DeveloperRow, InstallationRow } from '../../storage/tables.ts';
import { approvedContent } from '../apps/content-snapshot.ts';
import { nameKey } from '../apps/name-key.ts';
import type { Registry } from '../registry.ts';
import { isTypeId } from '../type-id.ts';

/** One thing that is stored and should not be. */
export interface Finding {
  /** The table, the key of the row, and the column. */
  pointer: string;
  code: string;
  detail: string;
}

/** The faults of the ids in one row, each given with the prefix that it should have, by their columns. */
export function idFaults(at: string, ids: Record<string, [prefix: string, id: string]>): Finding[] {
  return Object.entries(ids)
    .filter(([, [prefix, id]]) => !isTypeId(id, prefix))
    .map(([column, [prefix]]) => ({
      pointer: `${at}/${column}`,
      code: 'invalid_format',
      detail: `The value is no TypeID that begins with ${prefix}_.`,
    }));
}

export function developerFaults({ userIdPrefix }: Registry, row: DeveloperRow): Finding[] {
  return idFaults(`/developers/${row.user_id}`, { user_id: [userIdPrefix, row.user_id] });
}

export function installationFaults(registry: Registry, row: InstallationRow): Finding[] {
  return idFaults(`/installations/${row.id}`, {
    id: ['installation', row.id],
    workspace_id: [registry.workspaceIdPrefix, row.workspace_id],
    user_id: [registry.userIdPrefix, row.user_id],
  });
}

/** An answer that cannot be read would make each repeat of its request fail. */
export function answerFaults({
  token_id: tokenId,
  key,
  answer,
}: {
  token_id: string;
  key: string;
  answer: string;
}): Finding[] {
  return isObject(answer)
    ? []
    : [
        {
          pointer: `/idempotency_keys/${tokenId}/answer`,
          code: 'invalid_format',
          detail: `The value, under the key "${key}", is no answer.`,
        },
      ];
}

/** `at` points to the row. */
export function appFaults(registry: Registry, row: AppRow, at = `/apps/${row.id}`): Finding[] {
  const holds: [column: keyof AppRow, holds: boolean, detail: string][] = [
    ['name_key', row.name_key === nameKey(row.name), 'The value is not the key of the name.'],
    ['name_claim', isClaimRight(registry, row), 'The value is not the key of the name, and names must be unique.'],
    ['review_status', reviewStatuses.includes(row.review_status), 'The value is no review status.'],
    ['revision', row.revision >= 1, 'The value is less than 1.'],
    ['platform_revision', row.platform_revision >= 1, 'The value is less than 1.'],
    [
      'approved_revision',
      isApprovedRevisionRight(row),
      'The value is no revision that the app can have been approved at.',
    ],
    ['approved_content', isReadable(row), 'The value is no content of an app.'],
    ['updated_at', row.updated_at >= row.created_at, 'The value is before the creation.'],
  ];
  return [
    ...idFaults(at, { id: ['app', row.id] }),
    ...holds
      .filter(([, isRight]) => !isRight)
      .map(([column, , detail]) => ({ pointer: `${at}/${column}`, code: 'not_allowed', detail })),
  ];
}

function isClaimRight({ uniqueNames }: Registry, { name_claim: claim, name_key: key }: AppRow): boolean {
  return claim === null ? !uniqueNames : claim === key;
}

function isApprovedRevisionRight({ approved_content: content, approved_revision: at, revision }: AppRow): boolean {
  if (at === null) return content === null;
  return content !== null && at >= 1 && at <= revision;
}

function isReadable(app: AppRow): boolean {
  return app.approved_content === null || readApproved(app) !== null;
}

/** What was approved; null when nothing was, or the stored snapshot cannot be read. */
export function readApproved(app: AppRow): AppContent | null {
  try {
    return approvedContent(app);
  } catch {
    return null;
  }
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

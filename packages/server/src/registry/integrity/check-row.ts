import { reviewStatuses } from '../../contract/review.ts';
import type { AppRow, DeveloperRow, InstallationRow } from '../../storage/tables.ts';
import { readableApprovedContent } from '../apps/content-snapshot.ts';
import { nameKey } from '../apps/name-key.ts';
import type { Registry } from '../registry.ts';
import { readStoredResponse } from '../response-text.ts';
import { isTypeId } from '../type-id.ts';

/** One inconsistency. */
export interface Finding {
  /** The table, the key of the row, and the column. */
  pointer: string;
  code: string;
  detail: string;
}

/** The findings about the ids of one row: by column, each id with its expected prefix. */
export function idFindings(at: string, ids: Record<string, [prefix: string, id: string]>): Finding[] {
  return Object.entries(ids)
    .filter(([, [prefix, id]]) => !isTypeId(id, prefix))
    .map(([column, [prefix]]) => ({
      pointer: `${at}/${column}`,
      code: 'invalid_format',
      detail: `The value is not a TypeID that starts with ${prefix}_.`,
    }));
}

export function developerFindings({ userIdPrefix }: Registry, row: DeveloperRow): Finding[] {
  return idFindings(`/developers/${row.user_id}`, { user_id: [userIdPrefix, row.user_id] });
}

export function installationFindings(registry: Registry, row: InstallationRow): Finding[] {
  return idFindings(`/installations/${row.id}`, {
    id: ['installation', row.id],
    workspace_id: [registry.workspaceIdPrefix, row.workspace_id],
    user_id: [registry.userIdPrefix, row.user_id],
  });
}

/** An unreadable response would make every retry of its request fail. */
export function responseFindings({
  token_id: tokenId,
  key,
  answer,
}: {
  token_id: string;
  key: string;
  answer: string;
}): Finding[] {
  return isStoredResponse(answer)
    ? []
    : [
        {
          pointer: `/idempotency_keys/${tokenId}/answer`,
          code: 'invalid_format',
          detail: `The value, under the key "${key}", is not a stored response.`,
        },
      ];
}

/** `at` points to the row, which must claim its name if names are unique. */
export function appFindings(row: AppRow, { uniqueNames, at }: { uniqueNames: boolean; at: string }): Finding[] {
  const rules: [column: keyof AppRow, isMet: boolean, detail: string][] = [
    ['name_key', row.name_key === nameKey(row.name), 'The value is not the key of the name.'],
    ['name_claim', isClaimValid(row, uniqueNames), 'The value is not the key of the name, and names must be unique.'],
    ['review_status', reviewStatuses.includes(row.review_status), 'The value is not a review status.'],
    ['revision', row.revision >= 1, 'The value is less than 1.'],
    ['platform_revision', row.platform_revision >= 1, 'The value is less than 1.'],
    ['approved_revision', isApprovedRevisionValid(row), 'The app cannot have been approved at this revision.'],
    ['approved_content', isReadable(row), 'The value is not the content of an app.'],
    ['updated_at', row.updated_at >= row.created_at, 'The value is earlier than the creation.'],
  ];
  return [
    ...idFindings(at, { id: ['app', row.id] }),
    ...rules
      .filter(([, isMet]) => !isMet)
      .map(([column, , detail]) => ({ pointer: `${at}/${column}`, code: 'not_allowed', detail })),
  ];
}

function isClaimValid({ name_claim: claim, name_key: key }: AppRow, uniqueNames: boolean): boolean {
  return claim === null ? !uniqueNames : claim === key;
}

function isApprovedRevisionValid({ approved_content: content, approved_revision: at, revision }: AppRow): boolean {
  if (at === null) return content === null;
  return content !== null && at >= 1 && at <= revision;
}

function isReadable(app: AppRow): boolean {
  return app.approved_content === null || readableApprovedContent(app) !== null;
}

function isStoredResponse(answer: string): boolean {
  try {
    const { response } = readStoredResponse(answer);
    return typeof response === 'object' && response !== null;
  } catch {
    return false;
  }
}

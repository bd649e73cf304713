import type { AppContent, AppRow, DeletedAppRow } from '../../storage/tables.ts';
import { appOfDeleted } from '../apps/deleted-app.ts';
import { appFindings, type Finding, idFindings } from './check-row.ts';

/** The findings about a deleted app. */
export function deletedAppFindings(deleted: DeletedAppRow): Finding[] {
  const at = `/deleted_apps/${deleted.id}`;
  const app = readDeletedApp(deleted);
  if (!app)
    return [
      { pointer: `${at}/row`, code: 'invalid_format', detail: 'The value is not an app that could be restored.' },
    ];
  const rules: [column: keyof AppRow, isMet: boolean, detail: string][] = [
    ['id', app.id === deleted.id, 'The value is not the id of the deleted app.'],
    ['developer_id', app.developer_id === deleted.developer_id, 'The value is not the developer of the deleted app.'],
    ['installation_count', app.installation_count === 0, 'A deleted app has no installations.'],
    ['name_claim', app.name_claim === null, 'A deleted app claims no name.'],
  ];
  return [
    ...idFindings(at, { id: ['app', deleted.id] }),
    ...appFindings({ ...app, id: deleted.id, name_claim: null }, { uniqueNames: false, at: `${at}/row` }),
    ...rules
      .filter(([, isMet]) => !isMet)
      .map(([column, , detail]) => ({ pointer: `${at}/row/${column}`, code: 'not_allowed', detail })),
  ];
}

/** The stored app of a deleted app; null when it could not be restored. */
export function readDeletedApp(deleted: DeletedAppRow): AppRow | null {
  try {
    const app = appOfDeleted(deleted);
    return hasValidColumns(app, columnChecks) ? app : null;
  } catch {
    return null;
  }
}

function hasValidColumns<Column extends keyof AppRow>(
  app: AppRow,
  checks: Record<Column, (value: unknown) => boolean>,
): boolean {
  for (const column in checks) if (!checks[column](app[column])) return false;
  return true;
}

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => Number.isSafeInteger(value);
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isNumberOrNull = (value: unknown) => value === null || isNumber(value);

/** The content is validated when it is read. */
const columnChecks: Record<Exclude<keyof AppRow, keyof AppContent>, (value: unknown) => boolean> = {
  id: isText,
  developer_id: isText,
  name_key: isText,
  name_claim: isTextOrNull,
  review_status: isText,
  rejection_reason: isTextOrNull,
  approved_content: isTextOrNull,
  approved_revision: isNumberOrNull,
  approved_revision_stamp: isTextOrNull,
  approved_name_key: isTextOrNull,
  withdrawn: isTextOrNull,
  change_since: isNumber,
  transfer_since: isNumber,
  waiting_since: isNumber,
  suspended_status: isTextOrNull,
  installation_count: isNumber,
  revision: isNumber,
  revision_stamp: isText,
  platform_revision: isNumber,
  platform_revision_stamp: isText,
  submitted_at: isNumber,
  created_at: isNumber,
  updated_at: isNumber,
  shown_at: isNumber,
};

import type { AppContent, AppRow, DeletedAppRow } from '../../storage/tables.ts';
import { appOfDeleted } from '../apps/deleted-app.ts';
import type { Registry } from '../registry.ts';
import { appFaults, type Finding, idFaults } from './check-row.ts';

/** The faults of an app that is deleted. */
export function deletedAppFaults(registry: Registry, deleted: DeletedAppRow): Finding[] {
  const at = `/deleted_apps/${deleted.id}`;
  const app = readDeletedApp(deleted);
  if (!app)
    return [{ pointer: `${at}/row`, code: 'invalid_format', detail: 'The value is no app that could be restored.' }];
  const holds: [column: keyof AppRow, holds: boolean, detail: string][] = [
    ['id', app.id === deleted.id, 'The value is not the id of the deleted app.'],
    ['developer_id', app.developer_id === deleted.developer_id, 'The value is not the developer of the deleted app.'],
    ['installation_count', app.installation_count === 0, 'A deleted app has no installations.'],
    ['name_claim', app.name_claim === null, 'A deleted app claims no name.'],
  ];
  return [
    ...idFaults(at, { id: ['app', deleted.id] }),
    ...appFaults({ ...registry, uniqueNames: false }, { ...app, id: deleted.id, name_claim: null }, `${at}/row`),
    ...holds
      .filter(([, isRight]) => !isRight)
      .map(([column, , detail]) => ({ pointer: `${at}/row/${column}`, code: 'not_allowed', detail })),
  ];
}

/** What an app that is deleted has kept of itself; null when `app restore` could make no app of it. */
export function readDeletedApp(deleted: DeletedAppRow): AppRow | null {
  try {
    const app = appOfDeleted(deleted);
    const isComplete = (Object.keys(kinds) as (keyof typeof kinds)[]).every((column) => kinds[column](app[column]));
    return isComplete ? app : null;
  } catch {
    return null;
  }
}

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => Number.isSafeInteger(value);
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isNumberOrNull = (value: unknown) => value === null || isNumber(value);

/** The content is checked as it is read. */
const kinds: Record<Exclude<keyof AppRow, keyof AppContent>, (value: unknown) => boolean> = {
  id: isText,
  developer_id: isText,
  name_key: isText,
  name_claim: isTextOrNull,
  review_status: isText,
  rejection_reason: isTextOrNull,
  approved_content: isTextOrNull,
  approved_revision: isNumberOrNull,
  installation_count: isNumber,
  revision: isNumber,
  platform_revision: isNumber,
  submitted_at: isNumber,
  created_at: isNumber,
  updated_at: isNumber,
};

import type { InstallationRow } from '../../storage/tables.ts';
import { dateTime } from '../date-time.ts';

/**
 * An installation as `installationView` shows it, in JSON: for lists so long that to make an object of each and write
 * it takes longer than to read it. No id has a character that JSON escapes.
 */
export function installationText({ id, app_id, workspace_id, user_id, created_at, enabled }: InstallationRow): string {
  const before = `{"id":"${id}","appId":"${app_id}","workspaceId":"${workspace_id}","userId":"${user_id}"`;
  return `${before},"createdAt":"${dateTime(created_at)}","enabled":${enabled === 1}}`;
}

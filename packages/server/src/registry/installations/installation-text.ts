import type { ShownInstallation } from '../../storage/queries/installations.ts';
import { dateTime } from '../date-time.ts';

/**
 * The JSON of an installation as in `installationView`. For long lists, building and serialising objects would take
 * longer than reading the rows. No id contains a character that JSON escapes.
 */
export function installationText({
  id,
  app_id,
  workspace_id,
  user_id,
  created_at,
  enabled,
}: ShownInstallation): string {
  const before = `{"id":"${id}","appId":"${app_id}","workspaceId":"${workspace_id}","userId":"${user_id}"`;
  return `${before},"createdAt":"${dateTime(created_at)}","enabled":${enabled === 1}}`;
}

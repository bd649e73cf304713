import type { InstallationRow } from '../storage/tables.ts';

const dayMs = 86_400_000;
const timeLength = '00:00:00.000Z'.length;

/**
 * An installation as `installationView` shows it, in JSON: for lists so long that to make an object of each and write
 * it takes longer than to read it. No id has a character that JSON escapes.
 */
export function installationText({ id, app_id, workspace_id, user_id, created_at, enabled }: InstallationRow): string {
  const before = `{"id":"${id}","appId":"${app_id}","workspaceId":"${workspace_id}","userId":"${user_id}"`;
  return `${before},"createdAt":"${dateTime(created_at)}","enabled":${enabled === 1}}`;
}

let textOfDay = '';
let day = Number.NaN;

/** Of a list in the order of creation, many are of one day. */
function dateTime(ms: number): string {
  const dayOf = Math.floor(ms / dayMs);
  if (dayOf !== day) {
    day = dayOf;
    textOfDay = new Date(ms).toISOString().slice(0, -timeLength);
  }
  const time = ms - dayOf * dayMs;
  const seconds = Math.floor(time / 1_000);
  const minutes = Math.floor(seconds / 60);
  return `${textOfDay}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}.${three(time % 1_000)}Z`;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}

function three(number: number): string {
  return number < 100 ? `0${two(number)}` : `${number}`;
}

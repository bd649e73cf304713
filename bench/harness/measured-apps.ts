import type { BulkConnection } from '../bulk-connection.ts';
import { approvedContent, idOf, type RegistrySize } from '../fill-registry.ts';

const appsMax = 1_000;
const installationsEach = 10;

/** The numbers of the measured apps, spread evenly among all apps. */
export interface MeasuredNumbers {
  first: number;
  step: number;
  count: number;
}

export function measuredNumbers({ apps }: RegistrySize): MeasuredNumbers {
  const step = Math.max(1, Math.floor(apps / appsMax));
  const first = Math.ceil(step / 2);
  return { first, step, count: Math.min(appsMax, Math.ceil((apps - first) / step)) };
}

export function measuredIds(size: RegistrySize): string[] {
  const { first, step, count } = measuredNumbers(size);
  return Array.from({ length: count }, (_, at) => idOf('app', first + at * step));
}

/** Makes the measured apps of a filled registry alike: of developer 0, approved, with ten installations each. */
export async function makeMeasuredApps(bulk: BulkConnection, size: RegistrySize): Promise<void> {
  const ids = measuredIds(size);
  const listed = ids.map((id) => `'${id}'`).join(', ');
  const rows = ids.flatMap((id, app) =>
    Array.from({ length: installationsEach }, (_, at) => installationRow(id, { size, number: app * 10 + at })),
  );
  await bulk.run(`delete from installations where app_id in (${listed})`);
  await bulk.run(`${insertInstallations} values ${rows.join(', ')}`);
  await bulk.run(`update apps set name = 'measured ' || id, name_key = 'measured ' || id, name_claim = 'measured ' || id,
    developer_id = '${idOf('user', 0)}', review_status = 'APPROVED', rejection_reason = null,
    approved_content = ${approvedContent(`'measured ' || id`)}, approved_revision = revision,
    approved_name_key = 'measured ' || id, change_since = 0, waiting_since = 0,
    installation_count = ${installationsEach} where id in (${listed})`);
  // The triggers that do this run on SQLite only.
  await bulk.run(`delete from name_claims where app_id in (${listed})`);
  await bulk.run(`insert into name_claims (name_key, app_id) select name_claim, id from apps where id in (${listed})`);
}

/** Adds installations of an app, in new workspaces. */
export async function addInstallations(
  bulk: BulkConnection,
  size: RegistrySize,
  { appId, count }: { appId: string; count: number },
): Promise<void> {
  const id = (prefix: string) => `'${idOf(prefix, 0).slice(0, -16)}' || substr(cast(20000000000000000 + i as text), 2)`;
  await bulk.run(`${insertInstallations}
    with recursive n (i) as (select cast(${size.installations * 3} as bigint) union all select i + 1 from n
      where i < ${size.installations * 3 + count - 1})
    select ${id('installation')}, '${appId}', ${id('workspace')}, ${id('user')}, 1, ${Date.now()} + i from n`);
  await bulk.run(`update apps set installation_count = installation_count + ${count} where id = '${appId}'`);
}

const insertInstallations = 'insert into installations (id, app_id, workspace_id, user_id, enabled, created_at)';

function installationRow(appId: string, { size, number }: { size: RegistrySize; number: number }): string {
  const unused = size.installations * 2 + number;
  const ids = [idOf('installation', unused), appId, idOf('workspace', unused), idOf('user', number)];
  return `(${ids.map((id) => `'${id}'`).join(', ')}, 1, ${Date.now()})`;
}

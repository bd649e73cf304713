import { changeSchema } from '@appregistrar/testkit/storage/storage-test';

const suffix = '01jq3v9y6a';
const createdAt = 1_772_000_000_000;

/** The id of one of the apps that `fillApps` stores. */
export function filledApp(number: number): string {
  return `app_${suffix}${String(number).padStart(16, '0')}`;
}

/**
 * Stores apps of one developer in a database, each with an installation and an event, and starts the
 * statistics of the planner. A tenth awaits review, and a tenth is changed since its approval.
 */
export async function fillApps(
  url: string,
  { developerId, count }: { developerId: string; count: number },
): Promise<void> {
  const isSqlite = url.startsWith('sqlite:');
  const numbers = isSqlite
    ? `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1})`
    : `with n (i) as (select generate_series(0, ${count - 1}))`;
  const id = (prefix: string) => `'${prefix}_${suffix}' || substr(cast(10000000000000000 + i as text), 2)`;
  const short = 'Keeps invoices and ledgers in step.';
  await changeSchema(url, [
    `insert into apps (id, developer_id, name, name_key, name_claim, short_description, background_color, review_status,
        approved_content, approved_revision, approved_revision_nonce, installation_count, revision, revision_nonce,
        platform_revision, platform_revision_nonce, created_at, updated_at) ${numbers}
      select ${id('app')}, '${developerId}', 'Filled ' || i, 'filled ' || i, 'filled ' || i, '${short}', '#ffffff',
        case i % 10 when 0 then 'AWAITING_REVIEW' when 1 then 'APPROVED' else 'DRAFT' end,
        case i % 10 when 1 then '{}' end, case i % 10 when 1 then 1 end, case i % 10 when 1 then 'nonce_1' end, 1, 2, 'nonce_2', 1, 'nonce_1', ${createdAt} + i, ${createdAt} + i from n`,
    `insert into installations (id, app_id, workspace_id, user_id, enabled, created_at) ${numbers}
      select ${id('installation')}, ${id('app')}, ${id('workspace')}, '${developerId}', 1, ${createdAt} + i from n`,
    `insert into events (id, type, occurred_at, app_id, subject_id, actor) ${numbers}
      select ${id('event')}, case i % 10 when 0 then 'app.submitted' else 'app.created' end, ${createdAt} + i, ${id('app')},
        ${id('app')}, 'command-line:demo' from n`,
    isSqlite ? 'pragma wal_checkpoint(truncate)' : 'vacuum analyze',
  ]);
}

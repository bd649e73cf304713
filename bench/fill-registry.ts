import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { completeContent } from '../packages/server/src/features/apps/app-content.ts';
import { openStorage } from '../packages/server/src/storage/open-storage.ts';
import type { AppRow } from '../packages/server/src/storage/tables.ts';
import { type BulkConnection, openBulkConnection } from './bulk-connection.ts';

export interface RegistrySize {
  apps: number;
  installations: number;
}

/**
 * Fills an empty database with an extremely skewed registry: developer 0 has a tenth of the apps, developer 1 the
 * latest hundredth. App 0 has a tenth of the installations and half of the events, and shares no workspace with other
 * apps. Workspace 0 has a tenth of the apps, and user 0 has made a tenth of the installations. One app awaits review,
 * has changed since its approval, and is named `zeta`.
 */
export async function fillRegistry(url: string, size: RegistrySize): Promise<void> {
  await (await openStorage(url, { create: true })).close();
  const bulk = await openBulkConnection(url);
  const indexes = await bulk.listIndexes();
  for (const { name } of indexes) await bulk.run(`drop index ${name}`);
  for (const insert of inserts(bulk.engine, size)) await bulk.run(insert);
  for (const { sql } of indexes) await bulk.run(sql);
  if (bulk.engine === 'postgres') await bulk.run('vacuum analyze');
  await bulk.close();
}

/** Whether a registry has no apps. Creates it if there is none. */
export function isEmpty(databaseUrl: string): Promise<boolean> {
  return withRegistry(databaseUrl, async ({ storage: { reader } }) => {
    const apps = await reader.rows(reader.builder.selectFrom('apps').select('id').limit(1).compile());
    return apps.length === 0;
  });
}

/** The id of a numbered object. Ids of a kind sort by number. */
export function idOf(prefix: string, number: number): string {
  return `${prefix}_${idStart}${String(number).padStart(16, '0')}`;
}

const idStart = '01jq3v9y6a';

/** `idOf` as SQL. */
function id(prefix: string, number: string | number): string {
  return `'${prefix}_${idStart}' || ${digits(number)}`;
}

/** As SQL: fills the texts of the search, with those hosts of apps. */
export function searchTexts(hosts: string): string {
  return `insert into search_texts (subject_id, name, hosts, person)
    select id, ' ' || name_key || '  ', ${hosts}, null from apps
    union all select user_id, null, null, ' ' || email || ' ada lovelace  ' from developers`;
}

function digits(number: string | number): string {
  return `substr(cast(10000000000000000 + ${number} as text), 2)`;
}

function inserts(engine: BulkConnection['engine'], { apps, installations }: RegistrySize): string[] {
  const developers = Math.ceil(apps / 5);
  const events = Math.ceil(installations / 5);
  const time = `${Date.now() - 86_400_000} + i`;
  return [
    `insert into developers (user_id, email, first_name, last_name, created_at, updated_at, revision_nonce) ${numbers(developers)}
      select ${id('user', 'i')}, 'developer' || i || '@example.com', 'Ada', 'Lovelace', ${time}, ${time}, '${revisionNonce}' from n`,
    `insert into installations (id, app_id, workspace_id, user_id, enabled, created_at) ${numbers(installations)}
      select ${id('installation', 'i')}, ${id('app', appOfInstallation(apps))},
        ${id('workspace', workspaceOfInstallation(installations))}, ${id('user', userOfInstallation({ apps, installations }))},
        1, ${time} from n where true on conflict do nothing`,
    `insert into apps (id, developer_id, name, name_key, name_claim, short_description, long_description,
        background_color, login_url, callback_url, review_status, approved_content, approved_revision,
        approved_revision_nonce, approved_name_key, change_since, waiting_since,
        installation_count, revision, revision_nonce, platform_revision, platform_revision_nonce, created_at, updated_at)
      ${numbers(apps)}, ${mixedApps({ apps, developers })},
      counts as (select app_id, count(*) as installations from installations group by app_id)
      select ${id('app', 'i')}, developer_id, name, name, name, '${shortText}', '${longText}', '#ffffff',
        'https://example.com/login', 'https://example.com/callback', review_status,
        case when is_approved = 1 then ${approvedContent('name', `case when revision = 1 then '${shortText}' else 'Keeps invoices in step.' end`)} end, case when is_approved = 1 then 1 end,
        case when is_approved = 1 then '${revisionNonce}' end, case when is_approved = 1 then name end, case when is_changed = 1 then ${time} else 0 end,
        case when is_changed = 1 or review_status = 'AWAITING_REVIEW' then ${time} else 0 end,
        coalesce(installations, 0), revision, '${revisionNonce}', 1, '${revisionNonce}', ${time}, ${time}
        from mixed left join counts on counts.app_id = ${id('app', 'i')}`,
    searchTexts("' example.com  '"),
    `insert into name_claims (name_key, app_id) select name_claim, id from apps where true on conflict do nothing`,
    `insert into access_tokens (id, kind, developer_id, name, hash, created_at, expires_at) ${numbers(developers)}
      select ${id('token', 'i')}, 'developer', ${id('user', 'case when i % 2 = 0 then 0 else i end')}, 'CI',
        'hash' || i, ${time}, ${time} + 7776000000 from n`,
    `insert into logos (id, developer_id, png, created_at) ${numbers(developers)}
      select ${id('logo', 'i')}, ${id('user', 'case when i % 2 = 0 then 0 else i end')},
        ${engine === 'sqlite' ? `x'00'` : `'\\x00'::bytea`}, ${time} from n`,
    `insert into events (id, type, occurred_at, app_id, subject_id, actor, request_id, after) ${numbers(events)}
      select ${id('event', 'i')}, 'installation.created', ${time},
        ${id('app', `case when i % 2 = 0 then 0 else i % ${apps} end`)}, ${id('installation', 'i')},
        ${id('token', `i % ${developers}`)}, '01957a3c-6f0e-7cc2-9b1d-' || i, '${installationJson}' from n`,
    `insert into deleted_apps (id, developer_id, row, deleted_at) ${numbers(developers)}
      select ${id('app', `${apps} + i`)}, ${id('user', 'case when i % 2 = 0 then 0 else i end')},
        '{"id":"' || ${id('app', `${apps} + i`)} || '",${deletedJson}}', ${time} from n`,
  ];
}

/** A table `n` of the numbers below the count, on both engines. */
function numbers(count: number): string {
  return `with recursive n (i) as (select cast(0 as bigint) union all select i + 1 from n where i < ${count - 1})`;
}

/** Neighbours differ: `mix` permutes the numbers below a prime, in the order of no index. */
function mixedApps({ apps, developers }: { apps: number; developers: number }): string {
  const rare = Math.floor(apps / 2) + 1;
  return `
    numbered as (select i, (i * 7919) % 1000003 as mix from n),
    sorted as (select i, mix,
      case when i % 10 = 0 then ${id('user', 0)} when i >= ${Math.floor(apps * 0.99)} then ${id('user', 1)}
        else ${id('user', `(2 + i % ${developers - 2})`)} end as developer_id,
      case when i = ${rare} then 'zeta' when mix % 2 = 0 then 'alpha ' || ${digits('mix')} || i
        else 'beta ' || ${digits('mix')} || i end as name,
      case when i = ${rare} then 'AWAITING_REVIEW' when mix % 10 < 5 then 'APPROVED'
        when mix % 10 < 8 or i % 10 = 0 then 'DRAFT' else 'REJECTED' end as review_status from numbered),
    mixed as (select i, developer_id, name, review_status,
      case when review_status = 'APPROVED' or i = ${rare} then 1 else 0 end as is_approved,
      case when review_status = 'APPROVED' and mix % 2 = 0 then 1 else 0 end as is_changed,
      case when mix % 2 = 0 or i = ${rare} then 2 else 1 end as revision from sorted)`;
}

/** A workspace has each app at most once: each pass over the workspaces installs other apps. */
function appOfInstallation(apps: number): string {
  const other = `(1 + (i * 7919 + i / ${apps} * 104729) % ${apps - 1})`;
  return `case when i % 10 = 0 then 0 when i % 100 = 1 then 1 + (i / 100) % ${apps - 1} else ${other} end`;
}

function workspaceOfInstallation(installations: number): string {
  const alone = `${installations} + i`;
  return `case when i % 10 = 0 then ${alone} when i % 100 = 1 then 0 else 1 + i % ${Math.ceil(installations / 20)} end`;
}

/** Half of the installations of app 0 are by user 1, and one is by user 0. */
function userOfInstallation({ apps, installations }: RegistrySize): string {
  const rare = Math.floor(installations / 20) * 10;
  return `case when i % 10 = 5 or i = ${rare} or i = ${rare + 1} then 0 when i % 20 = 0 then 1 else 2 + i % ${apps} end`;
}

const revisionNonce = 'q5L-YRbWlS84';
const shortText = 'Keeps invoices and ledgers in step. '.repeat(4).trim();
const longText = 'Every invoice that is sent or paid is found in the ledger a moment later. '.repeat(8).trim();
const content = completeContent({
  name: 'Invoice Sync',
  listingInfo: { shortDescription: shortText, longDescription: longText },
  oauthInfo: { loginUrl: 'https://example.com/login', callbackUrl: 'https://example.com/callback' },
});

/** As SQL: the approved content of an app with this name and, by default, with the current short description. */
export function approvedContent(name: string, shortDescription = `'${shortText}'`): string {
  const text = JSON.stringify({ ...content, name: '$', short_description: '$' });
  const [start, middle, end] = text.split('$');
  return `'${start}' || ${name} || '${middle}' || ${shortDescription} || '${end}'`;
}

const deleted: Omit<AppRow, 'id'> = {
  ...content,
  developer_id: idOf('user', 0),
  name_key: 'invoice sync',
  name_claim: null,
  review_status: 'DRAFT',
  rejection_reason: null,
  approved_content: null,
  approved_revision: null,
  approved_revision_nonce: null,
  approved_name_key: null,
  cleared_since_approval: null,
  change_since: 0,
  transfer_since: 0,
  waiting_since: 0,
  suspended_status: null,
  installation_count: 0,
  revision: 1,
  revision_nonce: revisionNonce,
  platform_revision: 1,
  platform_revision_nonce: revisionNonce,
  submitted_at: 0,
  created_at: 0,
  updated_at: 0,
  shown_at: 0,
};
const deletedJson = JSON.stringify(deleted).slice(1, -1);
const installationJson = JSON.stringify({ appId: idOf('app', 0), workspaceId: idOf('workspace', 1), enabled: true });

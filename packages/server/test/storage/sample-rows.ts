import { completeContent } from '../../src/features/apps/app-content.ts';
import { columnTypes } from '../../src/storage/column.ts';
import type { Reader } from '../../src/storage/query.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { tables } from '../../src/storage/table-columns.ts';
import type { AppRow, DecisionRow, DeveloperRow, InstallationRow, Tables } from '../../src/storage/tables.ts';

/** A developer, as all rows here with a valid value in every column that a test does not give. */
export function developerRow(given: Partial<DeveloperRow> = {}): DeveloperRow {
  const times = { created_at: 1_000, updated_at: 1_000 };
  return { ...rowOf('developers'), user_id: 'user_1', email: 'ada@example.com', ...times, ...nonces, ...given };
}

export function appRow(given: Partial<AppRow> = {}): AppRow {
  return {
    ...rowOf('apps'),
    ...completeContent({ name: 'An app' }),
    ...{ id: 'app_1', developer_id: 'user_1', name_key: 'an app', review_status: 'DRAFT' },
    ...{ revision: 1, platform_revision: 1, platform_revision_nonce: 'nonce_1', ...nonces },
    ...{ created_at: 1_000, updated_at: 1_000 },
    ...given,
  };
}

export function decisionRow(given: Partial<DecisionRow> = {}): DecisionRow {
  const ids = { event_id: 'event_1', app_id: 'app_1', actor: 'token_1' };
  return { ...rowOf('decisions'), ...ids, step: 'approve', revision: 1, content: '{}', ...nonces, ...given };
}

export function installationRow(given: Partial<InstallationRow> = {}): InstallationRow {
  const ids = { id: 'installation_1', app_id: 'app_1', workspace_id: 'workspace_1', user_id: 'user_2' };
  return { ...rowOf('installations'), ...ids, enabled: 1, created_at: 1_000, ...given };
}

const nonces = { revision_nonce: 'nonce_1' };

/** Text that is easily corrupted: beyond the basic plane, joined, quoted, escaped, on several lines. */
const difficultText = `👩‍👩‍👧 Ünïcode "quoted" 'twice' \\u0041 \\ $1 ? :x\r\n\tĳ${'\u{10ffff}'}`;

/** 4,000 characters, each of four bytes. */
const longText = '😀'.repeat(4_000);

/** The last millisecond that a date can represent. */
const lastTime = 8_640_000_000_000_000;

/** The tables, each after those that it refers to. */
export const tableNames = Object.keys(tables) as (keyof Tables)[];

/**
 * Two rows of every table, by key: one in which every column is null that can be, and one with the greatest numbers, and
 * with text that is easily corrupted.
 */
export const sampleRows = {} as { [Table in keyof Tables]: [Tables[Table], Tables[Table]] };

/** Of the sample rows of a table, what is not like that of any other table. */
const given: { [Table in keyof Tables]?: [Partial<Tables[Table]>, Partial<Tables[Table]>] } = {
  developers: [developerRow(), { user_id: 'user_2' }],
  logos: [
    { id: 'logo_1', png: Uint8Array.from({ length: 256 }, (_, byte) => byte) },
    { id: 'logo_2', png: new Uint8Array(300_000).fill(0xff) },
  ],
  apps: [
    appRow(),
    { id: 'app_2', long_description: longText, approved_name_key: 'approved', revision: 7, platform_revision: 1 },
  ],
  installations: [installationRow(), { id: 'installation_2', workspace_id: 'workspace_1' }],
  access_tokens: [
    { id: 'token_1', kind: 'platform', hash: 'aa' },
    { id: 'token_2', kind: 'developer', replaced_by: 'token_1' },
  ],
  decisions: [decisionRow(), { event_id: 'event_2' }],
  events: [
    { id: 'event_1', type: 'developer.created', subject_id: 'user_1', actor: 'command-line:demo' },
    { id: 'event_2', type: 'app.updated', app_id: 'app_1', before: longText, after: longText },
  ],
  webhooks: [
    { id: 'webhook_1', url: 'https://hooks.example.com/', secret: 'whsec_AA==' },
    { id: 'webhook_2', secret: 'whsec_AQ==' },
  ],
  deliveries: [
    { id: 'delivery_1', queue: 'app_1', state: 'pending' },
    { id: 'delivery_2', state: 'failed' },
  ],
};

for (const table of tableNames) {
  const rows = [0, 1].map((at) => ({ ...sampleRow(table, at), ...given[table]?.[at] }));
  Object.assign(sampleRows, { [table]: rows });
}

/** Null, 0 or any text in each column. */
function rowOf<Table extends keyof Tables>(table: Table): Tables[Table] {
  return sampleRow(table, 0) as Tables[Table];
}

function sampleRow(table: keyof Tables, at: number): object {
  const defined = Object.entries(tables[table]).filter(([, { isRead }]) => isRead);
  return Object.fromEntries(
    defined.map(([name, column]) => [name, sampleValue(name, String(column.define(columnTypes.sqlite)), at)]),
  );
}

function sampleValue(name: string, definition: string, at: number): unknown {
  const isFirst = at === 0;
  const [, table, key = ''] = /references (\w+) \((\w+)\)/.exec(definition) ?? [];
  if (isFirst && !/not null/.test(definition)) return null;
  if (table !== undefined) return Reflect.get(sampleRows[table as keyof Tables]?.[at] ?? {}, key);
  if (definition.startsWith('integer')) return isFirst ? 0 : lastTime;
  return isFirst ? `${name}_1` : `${name}_2 ${difficultText}`;
}

/** Stores a developer for each id in one write. */
export function storeDevelopers(storage: Pick<Storage, 'write'>, ...ids: string[]): Promise<unknown> {
  const rows = ids.map((id) => developerRow({ user_id: id, email: `${id}@example.com` }));
  return storage.write((transaction) => transaction.insertNew('developers', rows));
}

/** The ids of all developers, in order. */
export async function developerIds(reader: Reader): Promise<string[]> {
  const stored = await reader.rows(
    reader.builder.selectFrom('developers').select('user_id').orderBy('user_id').compile(),
  );
  return stored.map((row) => row.user_id);
}

import type { KeyObject } from 'node:crypto';
import Type from 'typebox';
import { checkValue } from '../../kernel/check.ts';
import type { Registry, RegistrySettings } from '../../kernel/registry.ts';
import { SecretKeys } from '../../kernel/secret-keys.ts';
import { DateTime, RevisionTag } from '../../kernel/text.ts';
import { type Clocks, hostClock } from '../../kernel/time.ts';
import { findEpoch } from '../../storage/kernel-queries.ts';
import type { Connection, Reader } from '../../storage/query.ts';
import { requireStoredSchema } from '../../storage/schema.ts';
import type { Storage } from '../../storage/storage.ts';
import type { SettingsRow } from '../../storage/tables.ts';
import { findSettings, findSettingsForShare, findSettingsForUpdate, updateSettings } from './setting-queries.ts';

/** A setting that all processes on a database share: it is stored there, and a change has effect in all of them at once. */
interface SettingDeclaration {
  schema: Type.TSchema;
  /** Its value in a new database. */
  default: unknown;
  /** Its meaning, in the API, on the command line and in the documentation. */
  help: string;
}

/** Every such setting, declared once. */
export const settingDeclarations = {
  uniqueNames: {
    schema: Type.Boolean(),
    default: true,
    help: 'Whether app names must be unique.',
  },
  changesToApproved: {
    schema: Type.Unsafe<'live' | 'hold'>({ type: 'string', enum: ['live', 'hold'] }),
    default: 'live',
    help: 'What consumers see while a change to an approved app awaits a decision: with `live`, the current content; with `hold`, the approved content.',
  },
  reviewTargetHours: {
    schema: Type.Integer({ minimum: 1, maximum: 8760 }),
    default: 48,
    help: 'Within how many hours reviewers aim to decide on what awaits review: it is late afterwards. From 1 to 8760.',
  },
} as const satisfies Record<string, SettingDeclaration>;

type Declarations = typeof settingDeclarations;
export type SettingName = keyof Declarations;
export const settingNames = Object.keys(settingDeclarations) as SettingName[];

/** The value of every setting. */
export type SettingValues = { -readonly [Name in SettingName]: Type.Static<Declarations[Name]['schema']> };

export interface OpeningOptions {
  /** The settings of a new database. One that has them already keeps its own. */
  initialSettings?: Partial<SettingValues>;
  /** Encrypt stored secrets: the first one encrypts, all decrypt. Without them, secrets are stored as plain text. */
  secretKeys?: readonly KeyObject[];
}

/** The schema of each setting. */
const schemas = described(settingDeclarations);

const updatedAt = Type.Optional(
  Type.String({ ...DateTime, description: 'When a setting was last changed; absent if none was.' }),
);

/** The settings and their revision, which counts changes. */
export const Settings = Type.Object(
  { ...schemas, revision: Type.Integer({ minimum: 1 }), etag: RevisionTag, updatedAt },
  { $id: 'Settings', description: 'The settings shared by all processes on a database.' },
);
export type Settings = Type.Static<typeof Settings>;

/** The request to change settings. An absent one stays unchanged. */
export const SettingsUpdate = Type.Partial(Type.Object(schemas), {
  $id: 'SettingsUpdate',
  additionalProperties: false,
});

/** What becomes of undecided changes when `changesToApproved` is set to `hold`. */
export const ExistingChanges = Type.Unsafe<'approve' | 'hold'>({
  type: 'string',
  enum: ['approve', 'hold'],
  description:
    'When `changesToApproved` is set to `hold` while changes await a decision: whether these are approved as they are now, or held.',
});
export type ExistingChanges = Type.Static<typeof ExistingChanges>;

/** Values as stored, which a newer release may have added to. */
export const StoredSettings = Type.Partial(Type.Object(schemas));

/** The defaults of all settings. */
const settingDefaults: SettingValues = defaultsOf(settingDeclarations);

/** The settings as they are now. A write that depends on one uses `settingsDuring` instead. */
export async function readSettings(reader: Reader): Promise<SettingValues> {
  return settingsOf(await readSettingsRow(reader));
}

/** The row of the settings, with their revision. */
export function readSettingsRow(reader: Reader): Promise<SettingsRow> {
  return requireRow(findSettings(reader, {}));
}

/**
 * Inside a write: the settings, which stay the same until it ends. Call it before the write locks an app, because a
 * change of the settings locks them first and apps later.
 */
export async function settingsDuring(transaction: Connection): Promise<SettingValues> {
  return settingsOf(await requireRow(findSettingsForShare(transaction, {})));
}

/** Inside a write that changes settings: their row. Waits for writes that depend on them. */
export function lockSettings(transaction: Connection): Promise<SettingsRow> {
  return requireRow(findSettingsForUpdate(transaction, {}));
}

/** A setting that is not stored has its default. */
export function settingsOf(row: SettingsRow): SettingValues {
  return { ...settingDefaults, ...valuesIn(row) };
}

/** The row with other values. Settings that only a newer release knows stay. */
export function withSettings(row: SettingsRow, values: Partial<SettingValues>): SettingsRow {
  const content = { ...JSON.parse(row.content), ...values };
  return {
    ...row,
    content: JSON.stringify(content),
    changes_to_approved: content.changesToApproved ?? row.changes_to_approved,
  };
}

/** A registry on an open database. */
export async function openRegistry(
  storage: Storage,
  { initialSettings = {}, secretKeys = [], ...settings }: RegistrySettings & OpeningOptions,
  clocks: Clocks = { now: Date.now, machine: hostClock },
): Promise<Registry> {
  const row = await findEpoch(storage.reader, {}).catch(async (error: unknown) => {
    // A missing table is a difference of the schema, with its own message.
    await requireStoredSchema(storage);
    throw error;
  });
  if (!row) throw new Error('the database has no epoch');
  await storeInitialSettings(storage, initialSettings);
  return { ...settings, ...clocks, storage, epoch: row.epoch, secrets: new SecretKeys(secretKeys) };
}

/** Stores the settings that the database does not have yet: it is new, or older than the setting. */
async function storeInitialSettings(storage: Storage, initial: Partial<SettingValues>): Promise<void> {
  const { content } = await requireRow(findSettings(storage.reader, {}));
  // Also a value that only a newer release knows. Nothing is validated, which would take a tenth of a short command.
  const stored = JSON.parse(content);
  if (Object.keys(initial).every((name) => name in stored)) return;
  await storage.write(async (transaction) => {
    const row = await lockSettings(transaction);
    await updateSettings(transaction, withSettings(row, { ...initial, ...valuesIn(row) }));
  });
}

/** The stored values of the settings that this release knows. */
function valuesIn({ content }: SettingsRow): Partial<SettingValues> {
  const { value, errors } = checkValue(StoredSettings, JSON.parse(content));
  if (errors) throw new TypeError(`the database has invalid settings: ${content}`);
  const known = settingNames.filter((name) => name in value);
  return Object.fromEntries(known.map((name) => [name, value[name]]));
}

async function requireRow(found: Promise<SettingsRow | null>): Promise<SettingsRow> {
  const row = await found;
  if (!row) throw new Error('the database has no settings');
  return row;
}

function defaultsOf(declarations: Record<string, SettingDeclaration>): SettingValues {
  const entries = Object.entries(declarations).map(([name, declaration]) => [name, declaration.default]);
  return Object.fromEntries(entries);
}

function described<Given extends Record<string, SettingDeclaration>>(
  declarations: Given,
): { -readonly [Name in keyof Given]: Given[Name]['schema'] } {
  const entries = Object.entries(declarations).map(([name, { schema, help }]) => [
    name,
    { ...schema, description: help },
  ]);
  return Object.fromEntries(entries);
}

import Type from 'typebox';
import { PlatformIds, throwIfInvalid } from '../../kernel/check.ts';
import { Failure } from '../../kernel/failure.ts';
import { write } from '../../kernel/idempotency.ts';
import { isTypeId, newId, ProtectedNameId } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import { pageOf, pageParameters, readPage, sortingOf, sortParameter } from '../../kernel/page.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { entityTag, type RevisionCondition, requireUnchanged } from '../../kernel/revision.ts';
import { DateTime, dateTime, EntityTag, nullable, optional } from '../../kernel/text.ts';
import type { Connection } from '../../storage/query.ts';
import type { ProtectedNameRow } from '../../storage/tables.ts';
import { protectedKey } from '../apps/comparison/comparison-keys.ts';
import { notAHost, readHost } from '../apps/comparison/hosts.ts';
import {
  deleteProtectedNameRow,
  findProtectedName,
  findProtectedNameByKey,
  findProtectedNameForUpdate,
  listProtectedNamePage,
} from '../apps/comparison/look-alike-queries.ts';
import { appendEvent } from '../events/append-event.ts';
import type { EventData } from '../events/event.ts';

const path = '/operator/v1/protected-names';
const argumentsOfOne = { id: 'the id that "protected-name list" shows' };

const Name = Type.String({ minLength: 1, maxLength: 100, format: 'app-name', examples: ['Acme'] });
const Host = Type.String({
  minLength: 1,
  maxLength: 255,
  format: 'single-line',
  description: 'The host, which is protected with its subdomains.',
  examples: ['acme.example'],
});
const DeveloperIds = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 100,
  description: 'The developers who may use it.',
});
const Note = Type.String({
  minLength: 1,
  maxLength: 500,
  format: 'single-line',
  description: 'Shown with the warning.',
  examples: ['A trademark: ask for the licence.'],
});

const NewProtectedName = Type.Object(
  {
    name: Type.Optional(Name),
    host: Type.Optional(Host),
    developerIds: Type.Optional(DeveloperIds),
    note: Type.Optional(Note),
  },
  { $id: 'NewProtectedName', additionalProperties: false },
);
type NewProtectedName = Type.Static<typeof NewProtectedName>;

/** An absent field stays unchanged; null removes the note. A name can be given in place of a host, and a host of a name. */
const ProtectedNameUpdate = Type.Object(
  { ...NewProtectedName.properties, note: Type.Optional(nullable(Note)) },
  { $id: 'ProtectedNameUpdate', additionalProperties: false },
);
type ProtectedNameUpdate = Type.Static<typeof ProtectedNameUpdate>;

/** A name or host that only some developers may use. Its use by another one is a warning in review. */
const ProtectedName = Type.Object(
  {
    id: ProtectedNameId,
    ...NewProtectedName.properties,
    developerIds: DeveloperIds,
    createdAt: DateTime,
    updatedAt: DateTime,
    etag: EntityTag,
  },
  { $id: 'ProtectedName', description: 'A name or a host reserved for some developers.' },
);
export type ProtectedName = Type.Static<typeof ProtectedName>;

export const listProtectedNames = operation({
  id: 'listProtectedNames',
  method: 'GET',
  path,
  summary: 'List protected names and hosts',
  scope: 'read',
  query: Type.Object({ ...sortParameter(['id'], 'id'), ...pageParameters }, { additionalProperties: false }),
  response: pageOf(ProtectedName, 'ProtectedName'),
  command: {
    name: 'protected-name list',
    description: 'List the protected names and hosts.',
    columns: ['id', 'name', 'host', 'developerIds', 'note'],
    examples: ['app-registry protected-name list --limit 100'],
  },
  async run({ registry, query }) {
    const sorting = sortingOf(query, { id: ['id'] }, 'id');
    return readPage(query, {
      name: 'protected-names',
      byDefault: 'id',
      read: (request) => listProtectedNamePage(registry.storage.reader, { ...request, sorting }),
      view: protectedNameView,
    });
  },
});

export const createProtectedName = operation({
  id: 'createProtectedName',
  method: 'POST',
  path,
  summary: 'Protect a name or a host',
  description:
    'The review queue then warns of apps of other developers whose name contains this one, or whose URLs are at the host or a subdomain, and of lookalikes. Nothing is blocked.',
  scope: 'admin',
  body: NewProtectedName,
  creates: true,
  response: ProtectedName,
  refusals: ['already_exists'],
  command: {
    name: 'protected-name create',
    description:
      'Protect a name or a host. The review queue warns when an app of another developer uses it or a lookalike. Nothing is blocked.',
    options: {
      name: '<text> a name to look for in the names of apps',
      host: '<host> a host, such as acme.example, with its subdomains',
      developerIds: '--developer <id...> the developers who may use it, by user id as TypeIDs or UUIDs',
      note: '<text> shown with the warning',
    },
    conflicts: { name: 'host' },
    examples: [
      'app-registry protected-name create --name Acme --developer user_01jq3v8x5zf0wv4k5a6j7b8c9d',
      'app-registry protected-name create --host acme.example --note "A trademark: ask for the licence."',
    ],
  },
  async run({ registry, caller, body }) {
    const at = registry.now();
    const row = { id: newId('protected'), ...newColumns(registry, body), created_at: at, updated_at: at };
    return write(registry, caller, async (transaction) => {
      await insertProtectedName(transaction, row);
      const event = { type: 'protected_name.created', subjectId: row.id, after: inEvent(row) } as const;
      await appendEvent(transaction, { caller, at: row.created_at, ...event });
      return protectedNameView(row);
    });
  },
});

const getProtectedName = operation({
  id: 'getProtectedName',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'Get a protected name or host',
  scope: 'read',
  response: ProtectedName,
  refusals: ['protected_name_not_found'],
  command: {
    name: 'protected-name get',
    description: 'Print a protected name or host.',
    arguments: argumentsOfOne,
    examples: ['app-registry protected-name get protected_01jq3w5n3kf7wt0b2x8q4p1e6f'],
  },
  async run({ registry, params: { id } }) {
    return protectedNameView(
      requireFound(id, isTypeId(id, 'protected') && (await findProtectedName(registry.storage.reader, { id }))),
    );
  },
});

const updateProtectedName = operation({
  id: 'updateProtectedName',
  method: 'PATCH',
  path: `${path}/:id`,
  summary: 'Update a protected name or host',
  description:
    'Updates the fields in the body; null removes the note. A name can replace a host, and a host a name. `developerIds` replaces the whole list.',
  scope: 'admin',
  body: ProtectedNameUpdate,
  ifMatch: true,
  response: ProtectedName,
  refusals: ['protected_name_not_found', 'already_exists'],
  command: {
    name: 'protected-name update',
    description: 'Update the given fields of a protected name or host.',
    arguments: argumentsOfOne,
    options: {
      name: '<text> a name to look for in the names of apps',
      host: '<host> a host, such as acme.example, with its subdomains',
      developerIds: '--developer <id...> the developers who may use it, in place of the previous ones',
      note: '<text> shown with the warning',
    },
    conflicts: { name: 'host' },
    examples: [
      'app-registry protected-name update protected_01jq3w5n3kf7wt0b2x8q4p1e6f --developer user_01jq3v8x5zf0wv4k5a6j7b8c9d --no-note',
    ],
  },
  async run({ registry, caller, params: { id }, body, ...call }) {
    const given = changedColumns(registry, body);
    return write(registry, caller, async (transaction) => {
      const row = await lockProtectedName(transaction, id, call);
      const at = registry.now();
      const changed = { ...row, ...given };
      if (protectedNameTag(changed) === protectedNameTag(row)) return protectedNameView(row);
      const after = { ...changed, updated_at: Math.max(at, row.updated_at) };
      // Stored anew, so that a key that another write stores at the same time is found.
      await deleteProtectedNameRow(transaction, { id });
      await insertProtectedName(transaction, after);
      const data = { before: inEvent(row), after: inEvent(after) };
      await appendEvent(transaction, { caller, at, type: 'protected_name.updated', subjectId: id, ...data });
      return protectedNameView(after);
    });
  },
});

export const deleteProtectedName = operation({
  id: 'deleteProtectedName',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Stop protecting a name or a host',
  scope: 'admin',
  ifMatch: true,
  response: ProtectedName,
  refusals: ['protected_name_not_found'],
  command: {
    name: 'protected-name delete',
    description: 'Stop protecting a name or a host. Prints the deleted entry.',
    arguments: argumentsOfOne,
    examples: ['app-registry protected-name delete protected_01jq3w5n3kf7wt0b2x8q4p1e6f'],
  },
  async run({ registry, caller, params: { id }, ...call }) {
    return write(registry, caller, async (transaction) => {
      const row = await lockProtectedName(transaction, id, call);
      await deleteProtectedNameRow(transaction, { id });
      const event = { type: 'protected_name.deleted', subjectId: id, before: inEvent(row) } as const;
      await appendEvent(transaction, { caller, at: registry.now(), ...event });
      return protectedNameView(row);
    });
  },
});

/** The names and hosts that only some developers may use. */
export const protectedNameOperations = byId(
  listProtectedNames,
  createProtectedName,
  getProtectedName,
  updateProtectedName,
  deleteProtectedName,
);

type ProtectedColumns = Omit<ProtectedNameRow, 'id' | 'created_at' | 'updated_at'>;

function newColumns(registry: Registry, { developerIds = [], note, ...given }: NewProtectedName): ProtectedColumns {
  const developers = readDevelopers(registry, developerIds);
  const compared = readCompared(given);
  throwIfInvalid([...compared.errors, ...developers.errors]);
  return { ...compared.columns, developer_ids: developers.ids, note: note ?? null };
}

/** The columns that an update gives. */
function changedColumns(
  registry: Registry,
  { developerIds, note, ...given }: ProtectedNameUpdate,
): Partial<ProtectedColumns> {
  const developers = developerIds && readDevelopers(registry, developerIds);
  const compared = given.name === undefined && given.host === undefined ? undefined : readCompared(given);
  throwIfInvalid([...(compared?.errors ?? []), ...(developers?.errors ?? [])]);
  return {
    ...compared?.columns,
    ...(developers && { developer_ids: developers.ids }),
    ...(note !== undefined && { note }),
  };
}

function readDevelopers(
  { userIdPrefix }: Registry,
  developerIds: string[],
): { ids: string; errors: ValidationError[] } {
  const ids = new PlatformIds();
  const read = developerIds.map((id, at) => ids.read(id, userIdPrefix, `/developerIds/${at}`));
  return { ids: JSON.stringify([...new Set(read)]), errors: ids.errors };
}

interface Compared {
  /** Meaningless if there are errors. */
  columns: Pick<ProtectedNameRow, 'kind' | 'value' | 'key'>;
  errors: ValidationError[];
}

function readCompared({ name, host: text }: Pick<NewProtectedName, 'name' | 'host'>): Compared {
  if ((name === undefined) === (text === undefined)) {
    const detail = 'Give either a name or a host.';
    return { columns: { kind: 'name', value: '', key: '' }, errors: [{ pointer: '', code: 'required', detail }] };
  }
  if (name !== undefined) return { columns: withKey({ kind: 'name', value: name }), errors: [] };
  const host = readHost(text ?? '');
  const columns = withKey({ kind: 'host', value: host?.name ?? '' });
  return { columns, errors: host ? [] : [notAHost('/host')] };
}

function withKey(compared: Pick<ProtectedNameRow, 'kind' | 'value'>): Compared['columns'] {
  return { ...compared, key: protectedKey(compared) };
}

/** Reads an entry and locks it until the transaction ends. Refuses with `protected_name_not_found`. */
async function lockProtectedName(
  transaction: Connection,
  id: string,
  condition: RevisionCondition,
): Promise<ProtectedNameRow> {
  const found = isTypeId(id, 'protected') && (await findProtectedNameForUpdate(transaction, { id }));
  const row = requireFound(id, found);
  requireUnchanged('protected name', protectedNameTag(row), condition);
  return row;
}

function requireFound(id: string, row: ProtectedNameRow | null | false): ProtectedNameRow {
  if (row) return row;
  throw new Failure('protected_name_not_found', `No protected name or host has the id ${id}. Check the id.`);
}

/** Refuses with `already_exists`. */
async function insertProtectedName(transaction: Connection, row: ProtectedNameRow): Promise<void> {
  const refused = await transaction.insertNew('protected_names', [row]);
  if (refused.length > 0) throw alreadyProtected(await findProtectedNameByKey(transaction, row));
}

function alreadyProtected(existing: ProtectedNameRow | null): Failure {
  const by = existing ? `: ${JSON.stringify(existing.value)}, as ${existing.id}` : '';
  return new Failure(
    'already_exists',
    `This value, or one that looks like it, is already protected${by}. To change its protection, update or delete that entry.`,
  );
}

function protectedNameView(row: ProtectedNameRow): ProtectedName {
  const times = { createdAt: dateTime(row.created_at), updatedAt: dateTime(row.updated_at) };
  return { id: row.id, ...inEvent(row), ...times, etag: protectedNameTag(row) };
}

/** The `ETag` of an entry. It does not depend on how names are compared. */
function protectedNameTag({ key: _, ...row }: ProtectedNameRow): string {
  return entityTag(row);
}

function inEvent({ kind, value, developer_ids, note }: ProtectedNameRow): EventData['protected_name.created']['after'] {
  return {
    ...(kind === 'name' ? { name: value } : { host: value }),
    developerIds: JSON.parse(developer_ids),
    ...optional({ note }),
  };
}

import Type from 'typebox';
import { PlatformIds, throwIfInvalid } from '../../kernel/check.ts';
import { Failure } from '../../kernel/failure.ts';
import { write } from '../../kernel/idempotency.ts';
import { isTypeId, newId, ProtectedNameId } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import { pageOf, pageParameters, readPage, sortingOf, sortParameter } from '../../kernel/page.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { DateTime, dateTime, optional } from '../../kernel/text.ts';
import type { ProtectedNameRow } from '../../storage/tables.ts';
import { protectedKey } from '../apps/comparison/comparison-keys.ts';
import { notAHost, readHost } from '../apps/comparison/hosts.ts';
import {
  deleteProtectedNameRow,
  findProtectedNameByKey,
  findProtectedNameForUpdate,
  listProtectedNamePage,
} from '../apps/comparison/look-alike-queries.ts';
import { appendEvent } from '../events/append-event.ts';
import type { EventData } from '../events/event.ts';

const path = '/operator/v1/protected-names';

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

/** A name or host that only some developers may use. Its use by another one is a warning in review. */
const ProtectedName = Type.Object(
  { id: ProtectedNameId, ...NewProtectedName.properties, developerIds: DeveloperIds, createdAt: DateTime },
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
    const row = newRow(registry, body);
    return write(registry, caller, async (transaction) => {
      const refused = await transaction.insertNew('protected_names', [row]);
      if (refused.length > 0) throw alreadyProtected(await findProtectedNameByKey(transaction, row));
      const event = { type: 'protected_name.created', subjectId: row.id, after: inEvent(row) } as const;
      await appendEvent(transaction, { caller, at: row.created_at, ...event });
      return protectedNameView(row);
    });
  },
});

export const deleteProtectedName = operation({
  id: 'deleteProtectedName',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Stop protecting a name or a host',
  scope: 'admin',
  response: ProtectedName,
  refusals: ['protected_name_not_found'],
  command: {
    name: 'protected-name delete',
    description: 'Stop protecting a name or a host. Prints the deleted entry.',
    arguments: { id: 'the id that "protected-name list" shows' },
    examples: ['app-registry protected-name delete protected_01jq3w5n3kf7wt0b2x8q4p1e6f'],
  },
  async run({ registry, caller, params: { id } }) {
    return write(registry, caller, async (transaction) => {
      const row = isTypeId(id, 'protected') ? await findProtectedNameForUpdate(transaction, { id }) : null;
      if (!row) throw notFound(id);
      await deleteProtectedNameRow(transaction, { id });
      const event = { type: 'protected_name.deleted', subjectId: id, before: inEvent(row) } as const;
      await appendEvent(transaction, { caller, at: registry.now(), ...event });
      return protectedNameView(row);
    });
  },
});

/** The names and hosts that only some developers may use. */
export const protectedNameOperations = byId(listProtectedNames, createProtectedName, deleteProtectedName);

function newRow(registry: Registry, given: NewProtectedName): ProtectedNameRow {
  const ids = new PlatformIds();
  const { developerIds = [], note = null } = given;
  const allowed = developerIds.map((id, at) => ids.read(id, registry.userIdPrefix, `/developerIds/${at}`));
  const { errors, ...compared } = readProtected(given);
  throwIfInvalid([...errors, ...ids.errors]);
  const developer_ids = JSON.stringify([...new Set(allowed)]);
  return {
    id: newId('protected'),
    ...compared,
    key: protectedKey(compared),
    developer_ids,
    note,
    created_at: registry.now(),
  };
}

type Protected = Pick<ProtectedNameRow, 'kind' | 'value'> & { errors: ValidationError[] };

/** Meaningless if there are errors. */
function readProtected({ name, host: text }: NewProtectedName): Protected {
  if ((name === undefined) === (text === undefined)) {
    const detail = 'Give either a name or a host.';
    return { kind: 'name', value: '', errors: [{ pointer: '', code: 'required', detail }] };
  }
  if (name !== undefined) return { kind: 'name', value: name, errors: [] };
  const host = readHost(text ?? '');
  return { kind: 'host', value: host?.name ?? '', errors: host ? [] : [notAHost('/host')] };
}

function alreadyProtected(existing: ProtectedNameRow | null): Failure {
  const by = existing ? `: ${JSON.stringify(existing.value)}, as ${existing.id}` : '';
  return new Failure(
    'already_exists',
    `This value, or one that looks like it, is already protected${by}. To change its protection, remove that entry first.`,
  );
}

function notFound(id: string): Failure {
  return new Failure('protected_name_not_found', `No protected name or host has the id ${id}. Check the id.`);
}

function protectedNameView(row: ProtectedNameRow): ProtectedName {
  return { id: row.id, ...inEvent(row), createdAt: dateTime(row.created_at) };
}

function inEvent({ kind, value, developer_ids, note }: ProtectedNameRow): EventData['protected_name.created']['after'] {
  return {
    ...(kind === 'name' ? { name: value } : { host: value }),
    developerIds: JSON.parse(developer_ids),
    ...optional({ note }),
  };
}

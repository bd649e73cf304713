import Type from 'typebox';
import { requirePlatformId } from '../../kernel/check.ts';
import { developerNotFound, Failure } from '../../kernel/failure.ts';
import { write } from '../../kernel/idempotency.ts';
import { newId } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import {
  idsParameter,
  listTotal,
  pageParameters,
  readListedIds,
  readPage,
  sortingOf,
  sortParameter,
  timeParameters,
  totalPageOf,
  totalParameter,
} from '../../kernel/page.ts';
import type { Registry } from '../../kernel/registry.ts';
import { newRevisionNonce } from '../../kernel/revision.ts';
import { nullable } from '../../kernel/text.ts';
import { markForProjection } from '../../storage/kernel-queries.ts';
import type { Connection } from '../../storage/query.ts';
import type { DeveloperRow } from '../../storage/tables.ts';
import { appendEvent } from '../events/append-event.ts';
import {
  type ChangedDeveloper,
  lockDeveloper,
  operatorDeveloperView,
  replaceDeveloper,
  requireDeveloperId,
  withoutPerson,
} from './change-developer.ts';
import { Email, NewDeveloper, OperatorDeveloper, PersonName } from './developer.ts';
import { findDeveloper, listDeveloperPage, someDeveloperIds } from './developer-queries.ts';
import { getDeveloperRecord } from './developer-record.ts';

const path = '/operator/v1/developers';

const DeveloperQuery = Type.Object(
  {
    ...sortParameter(['id', 'email', 'createdAt'], 'id'),
    ...timeParameters('`createdAt`, if the list is sorted by it,'),
    ...idsParameter,
    ...totalParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);

const orders = {
  id: ['user_id'],
  email: ['email', 'user_id'],
  createdAt: ['created_at', 'user_id'],
} as const;

/** An absent field stays unchanged; null clears an optional one. */
const DeveloperUpdate = Type.Object(
  {
    email: Type.Optional(Email),
    firstName: Type.Optional(nullable(PersonName('First name.'))),
    lastName: Type.Optional(nullable(PersonName('Last name.'))),
  },
  { $id: 'DeveloperUpdate', additionalProperties: false },
);
type DeveloperUpdate = Type.Static<typeof DeveloperUpdate>;

const listDevelopers = operation({
  id: 'listDevelopers',
  method: 'GET',
  path,
  summary: 'List developers',
  scope: 'read',
  query: DeveloperQuery,
  response: totalPageOf(OperatorDeveloper, 'OperatorDeveloper'),
  command: {
    name: 'developer list',
    description: 'List developers, by default in order of user id.',
    options: { ids: '--id <ids...> only developers with these user ids; excludes --sort and times' },
    columns: ['id', 'email', 'firstName', 'lastName', 'suspendedAt'],
    examples: ['app-registry developer list --limit 100', 'app-registry developer list --sort -createdAt --with-total'],
  },
  async run({ registry, query: { withTotal, ...given } }) {
    const { ids: listed, sort, since, until } = given;
    const ids = listed && readListedIds(listed, registry.userIdPrefix, { sort, since, until });
    const sorting = sortingOf(given, orders, 'id');
    const page = await readPage(given, {
      name: 'developers',
      byDefault: 'id',
      filters: { ids },
      read: (request) => listDeveloperPage(registry.storage.reader, { ...request, ids, sorting }),
      view: operatorDeveloperView,
    });
    if (!withTotal) return page;
    const isFiltered = ids !== undefined || sorting.from !== undefined || sorting.until !== undefined;
    const some = (limit: number) => someDeveloperIds({ ids, sorting }, limit);
    return { ...page, ...(await listTotal(registry, { table: 'developers', isFiltered, ids: some })) };
  },
});

export const createDeveloper = operation({
  id: 'createDeveloper',
  method: 'POST',
  path,
  summary: 'Create a developer',
  scope: 'portal',
  body: NewDeveloper,
  creates: true,
  response: OperatorDeveloper,
  refusals: ['already_exists'],
  command: {
    name: 'developer create',
    description: 'Create a developer.',
    options: {
      email: '<address> the email address',
      firstName: '<name> the first name',
      lastName: '<name> the last name',
      id: '<id> the user id on the platform, as a TypeID or UUID (default: a new one)',
    },
    examples: ['app-registry developer create --email ada@example.com --first-name Ada'],
  },
  async run({ registry, caller, body }) {
    const at = registry.now();
    const row: DeveloperRow = {
      user_id: newUserId(registry, body),
      email: body.email,
      first_name: body.firstName ?? null,
      last_name: body.lastName ?? null,
      created_at: at,
      updated_at: at,
      suspended_at: null,
      suspension_reason: null,
      revision_nonce: newRevisionNonce(),
    };
    const create = async (transaction: Connection): Promise<ChangedDeveloper> => {
      const userId = row.user_id;
      const refused = await transaction.insertNew('developers', [row]);
      if (refused.length > 0) {
        throw new Failure('already_exists', `A developer with the user id ${userId} already exists.`);
      }
      await markForProjection(transaction, { subjectId: userId });
      await appendEvent(transaction, { caller, at, type: 'developer.created', subjectId: userId, after: { userId } });
      return { row };
    };
    const created = await write(registry, caller, create, { resultCodec: withoutPerson() });
    return operatorDeveloperView(created.row);
  },
});

const getDeveloper = operation({
  id: 'getDeveloper',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'Get a developer',
  scope: 'read',
  response: OperatorDeveloper,
  refusals: ['developer_not_found'],
  command: {
    name: 'developer get',
    arguments: { id: 'the user id, as a TypeID or UUID' },
    examples: ['app-registry developer get user_01jq3v8nbtf4mrk6d2m3wz5x7c'],
  },
  async run({ registry, params }) {
    const userId = requireDeveloperId(registry, params.id);
    const developer = await findDeveloper(registry.storage.reader, { userId });
    if (!developer) throw developerNotFound(userId);
    return operatorDeveloperView(developer);
  },
});

/** Changes the platform views of all apps of a developer too. The event names the changed fields without their values. */
const updateDeveloper = operation({
  id: 'updateDeveloper',
  method: 'PATCH',
  path: `${path}/:id`,
  summary: 'Update a developer',
  description: 'Updates the fields in the body; null clears an optional field. Get App shows the change immediately.',
  scope: 'portal',
  body: DeveloperUpdate,
  ifMatch: true,
  response: OperatorDeveloper,
  refusals: ['developer_not_found'],
  command: {
    name: 'developer update',
    description: 'Update the given fields of a developer. The change appears immediately on all their apps.',
    arguments: { id: 'the user id, as a TypeID or UUID' },
    options: {
      email: '<address> the email address',
      firstName: '<name> the first name; an empty value removes it',
      lastName: '<name> the last name; an empty value removes it',
    },
    examples: ['app-registry developer update user_01jq3v8nbtf4mrk6d2m3wz5x7c --email ada@example.com --no-last-name'],
  },
  async run({ registry, caller, params, body, ...call }) {
    const userId = requireDeveloperId(registry, params.id);
    const update = async (transaction: Connection): Promise<ChangedDeveloper> => {
      const at = registry.now();
      const before = await lockDeveloper(transaction, userId, call);
      const { developer, changed } = await replaceDeveloper(transaction, before, { person: givenPerson(body), at });
      if (changed.length > 0) {
        await appendEvent(transaction, { caller, at, type: 'developer.updated', subjectId: userId, changed });
      }
      return { row: developer };
    };
    const { row } = await write(registry, caller, update, { resultCodec: withoutPerson() });
    return operatorDeveloperView(row);
  },
});

/** The people whom apps belong to. */
export const developerOperations = byId(
  listDevelopers,
  createDeveloper,
  getDeveloper,
  getDeveloperRecord,
  updateDeveloper,
);

function newUserId({ userIdPrefix }: Registry, { id }: NewDeveloper): string {
  if (id === undefined) return newId(userIdPrefix);
  return requirePlatformId(id, userIdPrefix, '/id');
}

function givenPerson({ email, firstName, lastName }: DeveloperUpdate) {
  return {
    ...(email !== undefined && { email }),
    ...(firstName !== undefined && { first_name: firstName }),
    ...(lastName !== undefined && { last_name: lastName }),
  };
}

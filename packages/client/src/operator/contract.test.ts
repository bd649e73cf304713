import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type Type from 'typebox';
import { clientTypes, clientTypesFile, contentFields, contentFieldsFile } from '../../../../scripts/client-types.ts';
import type { OperatorOperationId, operatorOperations } from '../../../server/src/features/operations.ts';
import type { ApiPromise } from '../client/api-promise.ts';
import type { StreamedEvent } from './event-stream.ts';
import type { List } from './operations.ts';
import type { AppQuery, DeletedAppQuery, QueueQuery } from './operator-apps.ts';
import type { DeliveryQuery } from './operator-deliveries.ts';
import type { DeveloperQuery } from './operator-developers.ts';
import type { EventFeedQuery, EventQuery } from './operator-events.ts';
import type { InstallationQuery } from './operator-installations.ts';
import type { TokenQuery } from './operator-tokens.ts';
import type { SearchQuery, TotalQuery } from './queries.ts';
import type { calls } from './testing/calls.ts';

test('the types of the operator API are those of docs/operator-openapi.json; to update them, run: npm run client-types', async () => {
  const file = new URL(`../../../../${clientTypesFile}`, import.meta.url);
  assert.equal(await readFile(file, 'utf8'), await clientTypes());
});

test('the fields that the conformance command sets are those of the server; to update them, run: npm run client-types', async () => {
  const file = new URL(`../../../../${contentFieldsFile}`, import.meta.url);
  assert.equal(await readFile(file, 'utf8'), contentFields());
});

// The compiler checks these. Its error names the operations that differ.

test('each operation has a method, whose result matches the contract of the server', () => {
  const missing: None<Exclude<OperatorOperationId, keyof typeof calls>> = 'none';
  const differing: None<Differing<Results, Responses>> = 'none';
  void [missing, differing];
});

test('the filters of each list match the contract of the server', () => {
  const differing: None<Differing<Queries, DeclaredQueries>> = 'none';
  void differing;
});

type Results = { [Id in keyof typeof calls]: ResultOf<ReturnType<(typeof calls)[Id]>> };
type ResultOf<Called> =
  Called extends ApiPromise<infer Data>
    ? ItemsOrWhole<Data>
    : Called extends List<infer Item>
      ? Item[]
      : Called extends AsyncGenerator<StreamedEvent>
        ? StreamedEvent['event']
        : never;

type Responses = {
  [Id in OperatorOperationId]: ItemsOrWhole<Type.Static<(typeof operatorOperations)[Id]['response']>>;
};
type ItemsOrWhole<Response> = Response extends { items: infer Items } ? Items : Response;

interface Queries {
  listDevelopers: DeveloperQuery;
  listDeletedApps: DeletedAppQuery;
  listWebhooks: TotalQuery;
  search: SearchQuery;
  listApps: AppQuery;
  listReviewQueue: QueueQuery;
  listInstallations: InstallationQuery;
  listTokens: TokenQuery;
  listEvents: EventQuery;
  readEventFeed: EventFeedQuery;
  listDeliveries: DeliveryQuery;
}
type DeclaredQueries = {
  [Id in keyof Queries]: Omit<QueryOf<(typeof operatorOperations)[Id]>, 'workspaces'>;
};
type QueryOf<Operation> = Operation extends { query?: infer Query } ? Type.Static<Extract<Query, Type.TSchema>> : never;

type None<Names> = [Names] extends [never] ? 'none' : Names;
type Differing<A, B> = {
  [Name in keyof A & keyof B]: Identical<Written<A[Name]>, Written<B[Name]>> extends true ? never : Name;
}[keyof A & keyof B];
/** Flattens a type. Any text counts as a string: open enums are written in different ways. */
type Written<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? Written<Item>[]
    : T extends object
      ? { [Field in keyof T]: Written<Exclude<T[Field], undefined>> }
      : T;
type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

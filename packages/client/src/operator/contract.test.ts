import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type Type from 'typebox';
import { clientFiles } from '../../../../scripts/client-files.ts';
import type { OperatorOperationId, operatorOperations } from '../../../server/src/features/operations.ts';
import type { ApiPromise } from '../client/api-promise.ts';
import type { StreamedEvent } from './event-stream.ts';
import type { List } from './operations.ts';
import type { OperatorClient } from './operator-client.ts';
import type { calls } from './testing/calls.ts';
import type * as types from './types.ts';

for (const [file, text] of await clientFiles()) {
  test(`${file} is current; to update it, run: npm run client-types`, async () => {
    assert.equal(await readFile(new URL(`../../../../${file}`, import.meta.url), 'utf8'), text);
  });
}

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

/** The lists whose queries can ask for items in full. */
const listsInFull = {
  listApps: ({ apps }: OperatorClient) => apps.list({ view: 'full' }),
  listReviewQueue: ({ reviewQueue }: OperatorClient) => reviewQueue.list({ view: 'full' }),
};

type Results = {
  [Id in keyof typeof calls]: Id extends keyof typeof listsInFull
    ? (ItemOf<(typeof calls)[Id]> | ItemOf<(typeof listsInFull)[Id]>)[]
    : ResultOf<ReturnType<(typeof calls)[Id]>>;
};
type ItemOf<Call extends (client: OperatorClient) => unknown> =
  ReturnType<Call> extends List<infer Item> ? Item : never;
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
  listDevelopers: types.DeveloperQuery;
  listWebhooks: types.WebhookQuery;
  search: types.SearchQuery;
  listApps: types.AppQuery;
  listReviewQueue: types.ReviewQueueQuery;
  listInstallations: types.InstallationQuery;
  listTokens: types.TokenQuery;
  listEvents: types.EventQuery;
  readEventFeed: types.EventFeedQuery;
  listDeliveries: types.DeliveryQuery;
}
type DeclaredQueries = {
  [Id in keyof Queries]: QueryOf<(typeof operatorOperations)[Id]>;
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

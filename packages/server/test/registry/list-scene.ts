import type { Engine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { catchUp } from '../../src/features/apps/comparison/projections.ts';
import { operatorOperations } from '../../src/features/operations.ts';
import { type AnyOperation, runOperation } from '../../src/kernel/operation.ts';
import type { PageOf } from '../../src/kernel/page.ts';
import { commandLine, type Registry } from '../../src/kernel/registry.ts';
import { markForProjection } from '../../src/storage/kernel-queries.ts';
import { appRow, decisionRow, developerRow, installationRow, sampleRows } from '../storage/sample-rows.ts';

/** A page of a list, by its operation. */
export interface ListRequest {
  operation: string;
  params?: Record<string, string>;
  query: Record<string, unknown>;
}

/** 2026-03-01, at noon in UTC. */
const noon = 1_772_366_400_000;
const epoch = '6f1d2c3b-0000-4000-8000-000000000000';
const numbers = [0, 1, 2];

/** Ids that are the same in every run, and in the files that a test reads. */
export const idOf = (prefix: string, at: number) => `${prefix}_01jq3v9y6ae0xv5m6b7k8c9d0${at}`;

/** A registry with three rows of everything that a list has, all of them the same in every run. */
export async function openListScene(engine: Engine): Promise<{ registry: Registry; close: () => Promise<void> }> {
  const fixture = await RegistryFixture.open(engine, { now: () => noon });
  const times = (at: number) => ({ created_at: noon - 3_000 + at, updated_at: noon - 2_000 + at });
  const [appId, userId, webhookId] = [idOf('app', 0), idOf('user', 0), idOf('webhook', 0)];
  const app = (at: number, prefix = 'app') =>
    appRow({
      ...{ id: idOf(prefix, at), developer_id: userId, name: `Ledger ${at}`, name_key: `ledger ${at}` },
      ...{ review_status: 'AWAITING_REVIEW', waiting_since: noon - 1_000 + at, submitted_at: noon - 1_000 + at },
      ...{ login_url: `https://login${at}.ledger.example/`, revision: 3, ...times(at) },
    });
  await fixture.registry.storage.write(async (transaction) => {
    const insert = async (table: Parameters<typeof transaction.insertAll>[0], row: (at: number) => object) => {
      await transaction.insertAll(table, numbers.map(row) as never);
    };
    await insert('developers', (at) =>
      developerRow({ user_id: idOf('user', at), email: `${at}@x.example`, ...times(at) }),
    );
    await insert('apps', (at) => app(at));
    await insert('installations', (at) =>
      installationRow({
        ...{ id: idOf('installation', at), app_id: idOf('app', at), created_at: noon + at },
        ...{ workspace_id: idOf('workspace', 0), user_id: userId },
      }),
    );
    await insert('installations', (at) =>
      installationRow({
        ...{ id: idOf('installation', 5 + at), app_id: appId, created_at: noon + 5 + at },
        ...{ workspace_id: idOf('workspace', 5 + at), user_id: idOf('user', 2) },
      }),
    );
    await insert('deleted_apps', (at) => ({
      ...{ id: idOf('app', 5 + at), developer_id: userId, deleted_at: noon - 500 + at },
      row: JSON.stringify({ ...app(5 + at), id: idOf('app', 5 + at) }),
    }));
    await insert('logos', (at) => ({ ...sampleRows.logos[0], id: idOf('logo', at), developer_id: userId }));
    await insert('access_tokens', (at) => ({
      ...sampleRows.access_tokens[0],
      ...{ id: idOf('token', at), hash: `hash ${at}`, expires_at: noon + at },
    }));
    await insert('events', (at) => ({
      ...sampleRows.events[0],
      ...{ id: idOf('event', at), subject_id: idOf('user', at), actor: 'oidc:ada', occurred_at: noon + at },
    }));
    // The revisions of an app are read from the events of its content.
    await insert('events', (at) => ({
      ...{ ...sampleRows.events[0], id: idOf('event', 5 + at), type: 'app.updated', occurred_at: noon + 5 + at },
      ...{
        app_id: appId,
        subject_id: appId,
        actor: 'oidc:grace',
        before: '{"name":"Before"}',
        after: JSON.stringify({ revision: at + 1, revisionNonce: `nonce_${at}` }),
      },
    }));
    await insert('decisions', (at) =>
      decisionRow({
        ...{ event_id: idOf('event', at), app_id: appId, decided_at: noon + at },
        content: JSON.stringify(app(0)),
      }),
    );
    await insert('review_notes', (at) => ({
      ...{ id: idOf('note', at), app_id: appId, text: 'A note.', actor: 'oidc:ada', created_at: noon + at },
    }));
    await insert('reason_templates', (at) => ({
      ...{ id: idOf('template', at), title: `Title ${at}`, message: 'A message.', code: null, ...times(at) },
    }));
    await insert('protected_names', (at) => ({
      ...{ id: idOf('protected', at), kind: 'host', value: `${at}.example`, key: `example.${at}.` },
      ...{ developer_ids: '[]', note: null, ...times(at) },
    }));
    await insert('webhooks', (at) => ({
      ...sampleRows.webhooks[0],
      id: idOf('webhook', at),
      url: 'https://x.example/',
    }));
    await insert('deliveries', (at) => ({
      ...sampleRows.deliveries[0],
      ...{ position: undefined, id: idOf('delivery', at), webhook_id: webhookId, event_id: idOf('event', at) },
    }));
    for (const at of numbers) {
      for (const subjectId of [idOf('app', at), idOf('user', at)]) await markForProjection(transaction, { subjectId });
    }
  });
  await catchUp(fixture.registry);
  return { registry: { ...fixture.registry, epoch }, close: () => fixture.close() };
}

const [ofApp, ofWebhook] = [{ id: idOf('app', 0) }, { id: idOf('webhook', 0) }];

/** Every list in every order, with filters where these decide the order or the cursor. */
export const listRequests: ListRequest[] = [
  ...['id', 'name', 'createdAt', '-updatedAt'].map((sort) => ({ operation: 'listApps', query: { sort } })),
  { operation: 'listApps', query: {} },
  { operation: 'listApps', query: { status: ['AWAITING_REVIEW', 'DRAFT'], developerId: idOf('user', 0) } },
  { operation: 'listApps', query: { sort: 'updatedAt', since: '2026-03-01T00:00:00.000Z' } },
  { operation: 'listApps', query: { name: 'led' } },
  { operation: 'listApps', query: { host: 'ledger.example' } },
  { operation: 'listApps', query: { ids: [idOf('app', 0), idOf('app', 1)] } },
  ...['id', '-deletedAt'].map((sort) => ({ operation: 'listApps', query: { deleted: true, sort } })),
  { operation: 'listAppRevisions', params: ofApp, query: {} },
  { operation: 'listAppDecisions', params: ofApp, query: {} },
  { operation: 'listAppNotes', params: ofApp, query: {} },
  ...['waitingSince', '-waitingSince'].map((sort) => ({ operation: 'listReviewQueue', query: { sort } })),
  { operation: 'listReviewQueue', query: { kind: 'submission', hasWarnings: false } },
  ...['id', 'email', 'createdAt'].map((sort) => ({ operation: 'listDevelopers', query: { sort } })),
  { operation: 'listInstallations', query: {} },
  { operation: 'listInstallations', query: { appId: idOf('app', 0) } },
  { operation: 'listInstallations', query: { workspaceId: idOf('workspace', 0) } },
  { operation: 'listInstallations', query: { userId: idOf('user', 0) } },
  { operation: 'listInstallations', query: { appId: idOf('app', 0), userId: idOf('user', 2) } },
  { operation: 'listLogos', query: { developerId: idOf('user', 0) } },
  ...['id', '-expiresAt'].map((sort) => ({ operation: 'listTokens', query: { sort } })),
  ...['firstAt', '-lastAt'].map((sort) => ({
    ...{ operation: 'listTokenChanges', params: { id: 'oidc:ada' } },
    query: { sort },
  })),
  { operation: 'listEvents', query: {} },
  { operation: 'listEvents', query: { actor: 'oidc:ada', sort: '-id' } },
  { operation: 'listEvents', query: { type: ['developer.created'] } },
  { operation: 'readEventFeed', query: {} },
  { operation: 'listProtectedNames', query: {} },
  { operation: 'listReasonTemplates', query: {} },
  { operation: 'listWebhooks', query: {} },
  { operation: 'listDeliveries', params: ofWebhook, query: {} },
  { operation: 'listDeliveries', params: ofWebhook, query: { state: 'pending', sort: 'id' } },
  { operation: 'search', query: { q: 'ledger' } },
];

/** One page, with one item unless the query says otherwise. */
export function readList(registry: Registry, { operation, params = {}, query }: ListRequest): Promise<PageOf<object>> {
  const one = (operatorOperations as Record<string, AnyOperation>)[operation];
  if (!one) throw new Error(`there is no operation ${operation}`);
  return runOperation(one, registry, { params, query: { limit: 1, ...query }, caller: commandLine }) as Promise<
    PageOf<object>
  >;
}

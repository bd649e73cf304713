import { createHash } from 'node:crypto';
import Type from 'typebox';
import { throwIfInvalid } from '../../kernel/check.ts';
import { Failure } from '../../kernel/failure.ts';
import { withoutColumns, write } from '../../kernel/idempotency.ts';
import { newId } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import {
  listTotal,
  pageParameters,
  readPage,
  sortingOf,
  sortParameter,
  totalPageOf,
  totalParameter,
} from '../../kernel/page.ts';
import type { Registry } from '../../kernel/registry.ts';
import { requireUnchanged } from '../../kernel/revision.ts';
import type { WebhookRow } from '../../storage/tables.ts';
import { appendEvent, newDelivery, readEventIds, toEventRow } from '../events/append-event.ts';
import { insertEvent } from '../events/event-queries.ts';
import { changeWebhook, lockWebhook, requireWebhook, type WebhookChange } from './change-webhook.ts';
import { Delivery, deliveryView } from './deliveries/delivery.ts';
import { deleteFinished, deletePending, hasManyPending } from './deliveries/stored-deliveries.ts';
import { addressErrors } from './public-address.ts';
import {
  defaultRequestsAtOnce,
  NewWebhook,
  Webhook,
  WebhookUpdate,
  WebhookWithSecret,
  webhookEventData,
  webhookTag,
  webhookView,
} from './webhook.ts';
import { deleteWebhookRow, findWebhook, insertWebhook, listWebhookPage, someWebhookIds } from './webhook-queries.ts';
import { newWebhookSecret } from './webhook-secrets.ts';

const path = '/operator/v1/webhooks';
const scope = 'admin';
const refusals = ['webhook_not_found'] as const;

const argument = { id: 'the webhook id' };
const exampleId = 'webhook_01jq3w5n3kf7wt0b2x8q4p1e6f';
const deliveryOptions = {
  effectiveOnly: 'send only events that change what a platform may act on (those with "effective")',
  batch: 'send events in batches: up to 100 events of one app in a request, as an array',
  requestsAtOnce: `<number> the maximum number of concurrent requests from each server process, 1 to 200 (default: ${defaultRequestsAtOnce})`,
};

/** How long the previous secret also signs after a rotation. */
const bothSignMs = 86_400_000;

const WebhookQuery = Type.Object(
  { ...sortParameter(['id'], 'id'), ...totalParameter, ...pageParameters },
  { additionalProperties: false },
);

const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path,
  summary: 'List webhooks',
  scope,
  query: WebhookQuery,
  response: totalPageOf(Webhook, 'Webhook'),
  command: {
    name: 'webhook list',
    description: 'List the webhooks. Secrets are not shown.',
    columns: ['id', 'enabled', 'failingSince', 'name', 'url'],
    examples: ['app-registry webhook list --limit 100'],
  },
  async run({ registry, query: { withTotal, ...given } }) {
    const now = registry.now();
    const sorting = sortingOf(given, { id: ['id'] }, 'id');
    const page = await readPage(given, {
      name: 'webhooks',
      byDefault: 'id',
      read: (request) => listWebhookPage(registry.storage.reader, { ...request, sorting }),
      view: (row) => webhookView(row, now),
    });
    if (!withTotal) return page;
    return { ...page, ...(await listTotal(registry, { table: 'webhooks', isFiltered: false, ids: someWebhookIds })) };
  },
});

const createWebhook = operation({
  id: 'createWebhook',
  method: 'POST',
  path,
  summary: 'Create a webhook',
  description:
    'The webhook receives events recorded from now on. Its secret is only in this response: a retry with the same `Idempotency-Key` receives 409 with the id of the webhook.',
  scope,
  body: NewWebhook,
  creates: true,
  response: WebhookWithSecret,
  returnsSecret: true,
  refusals: ['webhook_created'],
  command: {
    name: 'webhook create',
    description:
      'Create a webhook. New events are sent to its URL, signed according to Standard Webhooks. The secret is printed once.',
    options: {
      url: '<url> the URL that receives events by POST; may contain a secret',
      name: '<name> a name to identify it',
      types: '--type <types...> the event types to send; give several or repeat the option (default: all)',
      ...deliveryOptions,
    },
    examples: [
      'app-registry webhook create --url https://hooks.example.com/app-registry --name "Billing"',
      'app-registry webhook create --url https://hooks.example.com/all --batch',
      'app-registry webhook create --url https://hooks.example.com/reviews --type app.approved app.rejected app.revoked',
      'app-registry webhook create --url https://auth.example.com/hooks --effective-only',
    ],
  },
  async run({ registry, caller, body }) {
    throwIfInvalid(addressErrors(registry, body.url));
    const at = registry.now();
    const secret = newWebhookSecret();
    const row = newRow(body, at);
    await write(
      registry,
      caller,
      async (transaction) => {
        const { id } = row;
        await insertWebhook(transaction, { ...row, secret: registry.secrets.seal(secret, id) });
        const after = webhookEventData(row);
        await appendEvent(transaction, { caller, at, type: 'webhook.created', subjectId: id, after });
        // The secret is not stored with the idempotency key.
        return { id };
      },
      { refuseRetry: shownOnce },
    );
    return { ...webhookView(row, at), secret };
  },
});

const getWebhook = operation({
  id: 'getWebhook',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'Get a webhook, without its secret',
  scope,
  response: Webhook,
  refusals,
  command: {
    name: 'webhook get',
    description: 'Show a webhook and whether its deliveries fail. Its secret is not shown.',
    arguments: argument,
    examples: [`app-registry webhook get ${exampleId}`],
  },
  async run({ registry, params: { id } }) {
    return webhookView(await requireWebhook(registry.storage.reader, id), registry.now());
  },
});

const updateWebhook = operation({
  id: 'updateWebhook',
  method: 'PATCH',
  path: `${path}/:id`,
  summary: 'Update a webhook',
  description: 'Pending deliveries also go to the new URL. A change of types applies to events recorded from now on.',
  scope,
  body: WebhookUpdate,
  ifMatch: true,
  response: Webhook,
  refusals,
  command: {
    name: 'webhook update',
    description: 'Update the given fields of a webhook. Pending deliveries also go to the new URL.',
    arguments: argument,
    options: {
      url: '<url> the URL that receives events',
      name: '<name> a name to identify it',
      types: '--type <types...> the event types to send from now on',
      ...deliveryOptions,
    },
    negations: {
      types: '--all-types send events of every type',
      effectiveOnly: 'send all events of the types',
      batch: 'send each event in its own request',
      requestsAtOnce: 'reset the number of concurrent requests to the default',
    },
    conflicts: { types: 'allTypes' },
    examples: [
      `app-registry webhook update ${exampleId} --url https://hooks.example.com/v2`,
      `app-registry webhook update ${exampleId} --no-name --all-types`,
    ],
  },
  async run({ registry, caller, params: { id }, body, ...condition }) {
    if (body.url !== undefined) throwIfInvalid(addressErrors(registry, body.url));
    const change = ({ url }: WebhookRow) => {
      const after = { url, ...columnsOf(body) };
      // The new receiver has not failed yet.
      return after.url === url ? after : { ...after, failing_since: null };
    };
    return writeChange(registry, { caller, id, condition, change });
  },
});

const deleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Delete a webhook',
  description: 'Deletes all its deliveries too, including pending ones.',
  scope,
  ifMatch: true,
  response: Webhook,
  refusals,
  command: {
    name: 'webhook delete',
    description: 'Delete a webhook and all its deliveries, including pending ones. Prints the deleted webhook.',
    arguments: argument,
    examples: [`app-registry webhook delete ${exampleId}`],
  },
  async run({ registry, caller, params: { id }, ...condition }) {
    requireUnchanged('webhook', webhookTag(await requireWebhook(registry.storage.reader, id)), condition);
    // Before the deletion and in batches, because there may be many: other writes need not wait.
    await deleteFinished(registry, id);
    const isDisabledFirst = await hasManyPending(registry, id);
    if (isDisabledFirst) {
      // So that it receives nothing once the first of them are deleted.
      await writeChange(registry, { caller, id, condition, change: (_webhook, at) => ({ disabled_at: at }) });
      await deletePending(registry, id);
    }
    const at = registry.now();
    return write(registry, caller, async (transaction) => {
      const webhook = await lockWebhook(transaction, id);
      if (!isDisabledFirst) requireUnchanged('webhook', webhookTag(webhook), condition);
      await deleteWebhookRow(transaction, { id });
      const before = webhookEventData(webhook);
      await appendEvent(transaction, { caller, at, type: 'webhook.deleted', subjectId: id, before });
      return webhookView(webhook, at);
    });
  },
});

/**
 * The new secret is also in the response to a retry. Without that, a client that lost the response would have to rotate
 * again, and so invalidate the receiver's secret.
 */
const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${path}/:id/rotate-secret`,
  summary: 'Rotate the secret of a webhook',
  description:
    'The new secret is only in this response, and in that to a retry with the same `Idempotency-Key`. The previous secret also signs for 24 hours; older ones no longer do.',
  scope,
  ifMatch: true,
  response: WebhookWithSecret,
  returnsSecret: true,
  refusals: ['webhook_not_found', 'secret_replaced'],
  command: {
    name: 'webhook rotate-secret',
    description:
      'Rotate the secret of a webhook. The new secret is printed once; the previous one stays valid for 24 hours.',
    arguments: argument,
    examples: [`app-registry webhook rotate-secret ${exampleId}`],
  },
  async run({ registry, caller, params: { id }, ...condition }) {
    const { secrets, storage } = registry;
    const secret = newWebhookSecret();
    const { secretHash } = await write(registry, caller, async (transaction) => {
      const sealed = secrets.seal(secret, id);
      const change = ({ secret: previous }: WebhookRow, at: number) => ({
        secret: sealed,
        previous_secret: previous,
        previous_secret_until: at + bothSignMs,
      });
      await changeWebhook(transaction, registry, { caller, id, condition, change });
      return { secretHash: hashOf(secret) };
    });
    const row = await requireWebhook(storage.reader, id);
    const current = [secret, secrets.open(row.secret, id)].find((one) => one && hashOf(one) === secretHash);
    if (!current) throw replaced(id);
    return { ...webhookView(row, registry.now()), secret: current };
  },
});

const enableWebhook = operation({
  id: 'enableWebhook',
  method: 'POST',
  path: `${path}/:id/enable`,
  summary: 'Enable a webhook',
  description: 'Sends the deliveries that were pending when it was disabled, but no events recorded since.',
  scope,
  ifMatch: true,
  response: Webhook,
  refusals,
  command: {
    name: 'webhook enable',
    description:
      'Enable a webhook. Sends the deliveries that were pending when it was disabled, but no events recorded since.',
    arguments: argument,
    examples: [`app-registry webhook enable ${exampleId}`],
  },
  async run({ registry, caller, params: { id }, ...condition }) {
    const enabled = { disabled_at: null, disabled_reason: null, failing_since: null };
    return writeChange(registry, { caller, id, condition, change: () => enabled });
  },
});

const disableWebhook = operation({
  id: 'disableWebhook',
  method: 'POST',
  path: `${path}/:id/disable`,
  summary: 'Disable a webhook, which then receives no events',
  scope,
  ifMatch: true,
  response: Webhook,
  refusals,
  command: {
    name: 'webhook disable',
    description: 'Disable a webhook without deleting it. It receives no further events.',
    arguments: argument,
    examples: [`app-registry webhook disable ${exampleId}`],
  },
  async run({ registry, caller, params: { id }, ...condition }) {
    return writeChange(registry, { caller, id, condition, change: (_webhook, at) => ({ disabled_at: at }) });
  },
});

const testWebhook = operation({
  id: 'testWebhook',
  method: 'POST',
  path: `${path}/:id/test`,
  summary: 'Send a test event to a webhook',
  description:
    'Sends `webhook.tested` to this webhook only, regardless of its types and without waiting for other deliveries. The response is the delivery; the list of deliveries shows the outcome.',
  scope,
  response: Delivery,
  refusals: ['webhook_not_found', 'webhook_disabled'],
  command: {
    name: 'webhook test',
    description:
      'Queue a webhook.tested event for one webhook. Prints the delivery; a server sends it, and "delivery list" shows the result.',
    arguments: argument,
    examples: [`app-registry webhook test ${exampleId}`],
  },
  async run({ registry, caller, params: { id } }) {
    return write(registry, caller, async (transaction) => {
      const { disabled_at } = await lockWebhook(transaction, id);
      if (disabled_at !== null) throw disabled();
      const change = { caller, at: registry.now(), type: 'webhook.tested', subjectId: id } as const;
      const event = toEventRow(change, await readEventIds(transaction));
      await insertEvent(transaction, event);
      // A separate queue, because an earlier test may await its next attempt.
      const delivery = { ...newDelivery(event, id), queue: event.id };
      await transaction.insertAll('deliveries', [delivery]);
      return deliveryView({ ...delivery, type: event.type });
    });
  },
});

export const webhookOperations = byId(
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  enableWebhook,
  disableWebhook,
  testWebhook,
);

async function writeChange(registry: Registry, change: WebhookChange): Promise<Webhook> {
  const { row } = await write<{ row: WebhookRow }>(
    registry,
    change.caller,
    async (transaction) => ({ row: await changeWebhook(transaction, registry, change) }),
    // The address may contain a secret too.
    {
      resultCodec: withoutColumns(['url', 'secret', 'previous_secret'], (transaction) =>
        findWebhook(transaction, change),
      ),
    },
  );
  return webhookView(row, registry.now());
}

function newRow(body: NewWebhook, at: number): Omit<WebhookRow, 'secret'> {
  return {
    id: newId('webhook'),
    name: null,
    types: null,
    effective_only: 0,
    batch: 0,
    requests_at_once: null,
    previous_secret: null,
    previous_secret_until: null,
    created_at: at,
    updated_at: at,
    disabled_at: null,
    disabled_reason: null,
    failing_since: null,
    ...columnsOf(body),
    url: body.url,
  };
}

function columnsOf({ url, name, types, effectiveOnly, batch, requestsAtOnce }: WebhookUpdate): Partial<WebhookRow> {
  return {
    ...(url !== undefined && { url }),
    ...(name !== undefined && { name }),
    // In a fixed order, so that they can be compared.
    ...(types !== undefined && { types: types?.toSorted().join(' ') ?? null }),
    ...(effectiveOnly !== undefined && { effective_only: effectiveOnly ? 1 : 0 }),
    ...(batch !== undefined && { batch: batch ? 1 : 0 }),
    ...(requestsAtOnce !== undefined && { requests_at_once: requestsAtOnce }),
  };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function shownOnce({ id }: { id: string }): never {
  throw new Failure(
    'webhook_created',
    `The first request with this Idempotency-Key created ${id} and showed its secret, which is not shown again. If it is lost, rotate the secret of that webhook.`,
  );
}

function replaced(id: string): Failure {
  return new Failure(
    'secret_replaced',
    `The secret that the first request with this Idempotency-Key gave ${id} has since been replaced by another rotation. Get the current secret from the operator who rotated it, or rotate again with a new key.`,
  );
}

function disabled(): Failure {
  return new Failure('webhook_disabled', 'The webhook is disabled and receives no events. Enable it first.');
}

import { deliveryOperations, type Redelivered } from '../../../server/src/features/webhooks/deliveries/deliveries.ts';
import type { Delivery, DeliveryDetails } from '../../../server/src/features/webhooks/deliveries/delivery.ts';
import type { Webhook, WebhookWithSecret } from '../../../server/src/features/webhooks/webhook.ts';
import { webhookOperations } from '../../../server/src/features/webhooks/webhooks.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import type { PageOf, TotalPageOf } from '../../../server/src/kernel/page.ts';
import { type Caller, commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

export function listWebhooks(registry: Registry, query: unknown): Promise<TotalPageOf<Webhook>> {
  return runOperation(webhookOperations.listWebhooks, registry, {
    caller: commandLine,
    query: query as Record<string, unknown>,
  });
}

export function createWebhook(registry: Registry, caller: Caller, body: unknown): Promise<WebhookWithSecret> {
  return runOperation(webhookOperations.createWebhook, registry, { caller, body });
}

export function getWebhook(registry: Registry, id: string): Promise<Webhook> {
  return runOperation(webhookOperations.getWebhook, registry, { caller: commandLine, params: { id } });
}

export function updateWebhook(
  registry: Registry,
  caller: Caller,
  { id, update }: { id: string; update: unknown },
): Promise<Webhook> {
  return runOperation(webhookOperations.updateWebhook, registry, { caller, params: { id }, body: update });
}

export function deleteWebhook(registry: Registry, caller: Caller, id: string): Promise<Webhook> {
  return runOperation(webhookOperations.deleteWebhook, registry, { caller, params: { id } });
}

export function rotateWebhookSecret(registry: Registry, caller: Caller, id: string): Promise<WebhookWithSecret> {
  return runOperation(webhookOperations.rotateWebhookSecret, registry, { caller, params: { id } });
}

export function setWebhookEnabled(
  registry: Registry,
  caller: Caller,
  { id, enabled }: { id: string; enabled: boolean },
): Promise<Webhook> {
  const { enableWebhook, disableWebhook } = webhookOperations;
  return enabled
    ? runOperation(enableWebhook, registry, { caller, params: { id } })
    : runOperation(disableWebhook, registry, { caller, params: { id } });
}

export function testWebhook(registry: Registry, caller: Caller, id: string): Promise<Delivery> {
  return runOperation(webhookOperations.testWebhook, registry, { caller, params: { id } });
}

export function listDeliveries(
  registry: Registry,
  { webhookId: id, ...query }: { webhookId: string } & Record<string, unknown>,
): Promise<PageOf<Delivery>> {
  return runOperation(deliveryOperations.listDeliveries, registry, { caller: commandLine, params: { id }, query });
}

export function redeliverSince(
  registry: Registry,
  caller: Caller,
  { webhookId: id, redelivery: body }: { webhookId: string; redelivery: unknown },
): Promise<Redelivered> {
  return runOperation(deliveryOperations.redeliverSince, registry, { caller, params: { id }, body });
}

export function getDelivery(registry: Registry, id: string): Promise<DeliveryDetails> {
  return runOperation(deliveryOperations.getDelivery, registry, { caller: commandLine, params: { id } });
}

export function redeliver(registry: Registry, caller: Caller, id: string): Promise<Delivery> {
  return runOperation(deliveryOperations.redeliver, registry, { caller, params: { id } });
}

import { operatorOperations } from '../../../server/src/features/operations.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { type Caller, commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

export function listWebhooks(registry: Registry, query: unknown) {
  return runOperation(operatorOperations.listWebhooks, registry, {
    caller: commandLine,
    query: query as Record<string, unknown>,
  });
}

export function createWebhook(registry: Registry, caller: Caller, body: unknown) {
  return runOperation(operatorOperations.createWebhook, registry, { caller, body });
}

export function getWebhook(registry: Registry, id: string) {
  return runOperation(operatorOperations.getWebhook, registry, { caller: commandLine, params: { id } });
}

export function updateWebhook(registry: Registry, caller: Caller, { id, update }: { id: string; update: unknown }) {
  return runOperation(operatorOperations.updateWebhook, registry, { caller, params: { id }, body: update });
}

export function deleteWebhook(registry: Registry, caller: Caller, id: string) {
  return runOperation(operatorOperations.deleteWebhook, registry, { caller, params: { id } });
}

export function rotateWebhookSecret(registry: Registry, caller: Caller, id: string) {
  return runOperation(operatorOperations.rotateWebhookSecret, registry, { caller, params: { id } });
}

export function setWebhookEnabled(
  registry: Registry,
  caller: Caller,
  { id, enabled }: { id: string; enabled: boolean },
) {
  const { enableWebhook, disableWebhook } = operatorOperations;
  return enabled
    ? runOperation(enableWebhook, registry, { caller, params: { id } })
    : runOperation(disableWebhook, registry, { caller, params: { id } });
}

export function testWebhook(registry: Registry, caller: Caller, id: string) {
  return runOperation(operatorOperations.testWebhook, registry, { caller, params: { id } });
}

export function listDeliveries(
  registry: Registry,
  { webhookId: id, ...query }: { webhookId: string } & Record<string, unknown>,
) {
  return runOperation(operatorOperations.listDeliveries, registry, { caller: commandLine, params: { id }, query });
}

export function getWebhookBacklog(registry: Registry, id: string) {
  return runOperation(operatorOperations.getWebhookBacklog, registry, { caller: commandLine, params: { id } });
}

export function redeliverWebhook(
  registry: Registry,
  caller: Caller,
  { webhookId: id, redelivery: body }: { webhookId: string; redelivery: unknown },
) {
  return runOperation(operatorOperations.redeliverWebhook, registry, { caller, params: { id }, body });
}

export function getDelivery(registry: Registry, id: string) {
  return runOperation(operatorOperations.getDelivery, registry, { caller: commandLine, params: { id } });
}

export function redeliverDelivery(registry: Registry, caller: Caller, id: string) {
  return runOperation(operatorOperations.redeliverDelivery, registry, { caller, params: { id } });
}

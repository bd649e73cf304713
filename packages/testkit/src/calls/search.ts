import { operatorOperations } from '../../../server/src/features/operations.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

const { search: operation } = operatorOperations;

export function search(registry: Registry, { query, isAdmin }: { query: unknown; isAdmin: boolean }) {
  const scopes = isAdmin ? (['admin'] as const) : (['read'] as const);
  return runOperation(operation, registry, { caller: commandLine, query: query as Record<string, unknown>, scopes });
}

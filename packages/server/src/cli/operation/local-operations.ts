import { NewEvents } from '../../features/events/feed/new-events.ts';
import { loadHandler } from '../../features/load-handler.ts';
import type { OperatorOperationId } from '../../features/operations.ts';
import { Failure, ofRead } from '../../kernel/failure.ts';
import type { Call } from '../../kernel/handler.ts';
import type { OperatorOperation } from '../../kernel/operation-declaration.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import type { AnyParts, RunOperation } from './run-operation.ts';

/** Runs operations on a database, by the handlers of the operator API. The command line may do everything. */
export function localOperations(registry: Registry, caller: Caller): RunOperation {
  const run = async (id: OperatorOperationId, parts: AnyParts = {}): Promise<object> => {
    // No one else waits in the process of a command.
    const waits = {
      newEvents: new NewEvents(registry.storage),
      takePlace: () => () => {},
    };
    const handler = (await loadHandler(id, registry, waits)) as (call: Call<unknown>) => Promise<object>;
    try {
      return await handler(callOf(parts, caller));
    } catch (error) {
      throw error instanceof Failure && (await isRead(id)) ? ofRead(error) : error;
    }
  };
  return run as RunOperation;
}

function callOf({ params = {}, query = {}, body = {}, ifRevision, signal }: AnyParts, caller: Caller): Call<unknown> {
  return {
    params,
    query,
    body,
    caller,
    scopes: ['admin'],
    dryRun: query.dryRun === true,
    ifRevision: ifRevision === undefined ? undefined : [ifRevision],
    disconnected: () => signal ?? new AbortController().signal,
    admitAgain: async () => {},
  };
}

/** Only a refusal needs the declarations. */
async function isRead(id: OperatorOperationId): Promise<boolean> {
  const { operatorOperations } = await import('../../features/operations.ts');
  const { method }: OperatorOperation = operatorOperations[id];
  return method === 'GET';
}

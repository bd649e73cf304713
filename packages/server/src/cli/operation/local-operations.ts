import { NewEvents } from '../../features/events/feed/new-events.ts';
import { asReadRefusal, Failure } from '../../kernel/failure.ts';
import { type AnyOperation, runOperation } from '../../kernel/operation.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { type AnyParts, operationNamed, type RunOperation } from './run-operation.ts';

/** Runs operations on a database. The command line may do everything. */
export function localOperations(registry: Registry, caller: Caller): RunOperation {
  // No one else waits in the process of a command.
  const waits = { newEvents: new NewEvents(registry.storage), longPolls: { acquire: () => () => {} } };
  const run = async (named: AnyOperation | string, { ifRevision, signal, ...parts }: AnyParts = {}) => {
    const operation = await operationNamed(named);
    try {
      return await runOperation(operation, registry, {
        ...parts,
        ...{ caller, waits },
        ...(ifRevision !== undefined && { ifRevision: [ifRevision] }),
        ...(signal && { disconnected: () => signal }),
      });
    } catch (error) {
      throw error instanceof Failure && operation.method === 'GET' ? asReadRefusal(error) : error;
    }
  };
  return run as RunOperation;
}

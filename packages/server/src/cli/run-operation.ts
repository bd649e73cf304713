import type Type from 'typebox';
import type { OperatorOperationId, operatorOperations } from '../features/operations.ts';
import type { AnyOperation, PathParams } from '../kernel/operation.ts';
import type { RevisionName } from '../kernel/revision.ts';

type Operations = typeof operatorOperations;

/**
 * Runs an operation of the operator API by its operationId: on a database by its handler, or on a server by a request.
 * A command knows no difference. Throws a `Failure`, or what the client reports.
 */
export type RunOperation = <Id extends OperatorOperationId>(
  id: Id,
  ...parts: object extends OperationParts<Id> ? [parts?: OperationParts<Id>] : [parts: OperationParts<Id>]
) => Promise<Type.Static<Operations[Id]['response']>>;

/** What a command gives an operation, in the shapes of the operator API. Names are checked here, values by the rules. */
type OperationParts<Id extends OperatorOperationId> = Operations[Id] extends { run: unknown }
  ? Omit<AnyParts, 'params'> & ParamsOf<Operations[Id]['path']>
  : DeclaredParts<Id>;

type DeclaredParts<Id extends OperatorOperationId> = ParamsOf<Operations[Id]['path']> &
  QueryOf<Operations[Id]> &
  BodyOf<Operations[Id]> &
  ConditionOf<Operations[Id]> &
  Pick<AnyParts, 'signal'>;

/** The same, whichever operation it is for. */
export interface AnyParts {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  ifRevision?: RevisionName | undefined;
  /** Ends the operation early, such as one that waits for events. */
  signal?: AbortSignal;
}

type ParamsOf<Path extends string> = unknown extends PathParams<Path> ? object : { params: PathParams<Path> };

type QueryOf<Operation> = Operation extends object
  ? Required<Operation> extends { query: infer Query extends Type.TObject }
    ? { query?: { [Name in keyof Type.Static<Query>]?: unknown } }
    : object
  : never;

type BodyOf<Operation> = Operation extends { form: object }
  ? { body: object }
  : Required<Operation> extends { body: infer Body }
    ? Body extends Type.TUndefined
      ? object
      : { body?: object }
    : object;

type ConditionOf<Operation> = 'ifMatch' extends keyof Operation ? { ifRevision?: RevisionName | undefined } : object;

/**
 * The operation with this id. A derived command has its operation already: loading all of them takes a fifth of the time
 * of a command.
 */
export async function operationNamed(named: AnyOperation | string): Promise<AnyOperation> {
  if (typeof named !== 'string') return named;
  const { operatorOperations } = await import('../features/operations.ts');
  const operation = (operatorOperations as Record<string, AnyOperation>)[named];
  if (!operation) throw new Error(`there is no operation ${named}`);
  return operation;
}

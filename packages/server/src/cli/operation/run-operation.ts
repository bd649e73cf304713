import type Type from 'typebox';
import type { OperatorOperationId, operatorOperations } from '../../features/operations.ts';
import type { PathParams } from '../../kernel/operation-declaration.ts';
import type { RevisionName } from '../../kernel/revision.ts';

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
type OperationParts<Id extends OperatorOperationId> = ParamsOf<Operations[Id]['path']> &
  QueryOf<Required<Operations[Id]>> &
  BodyOf<Required<Operations[Id]>> &
  ConditionOf<Required<Operations[Id]>> &
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

type QueryOf<Operation> = Operation extends { query: Type.TObject }
  ? { query?: { [Name in keyof Type.Static<Operation['query']>]?: unknown } }
  : object;

type BodyOf<Operation> = Operation extends { body: Type.TSchema }
  ? { body?: object }
  : Operation extends { form: object }
    ? { body: object }
    : object;

type ConditionOf<Operation> = Operation extends { ifMatch: string }
  ? { ifRevision?: RevisionName | undefined }
  : object;

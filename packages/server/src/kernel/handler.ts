import type Type from 'typebox';
import type { TokenScope } from '../features/access/access-token.ts';
import type { RevisionCondition } from '../features/apps/revision-condition.ts';
import type { EventWaits, StreamedPage } from '../features/events/feed/event-streams.ts';
import type { OperatorOperation, PathParams } from './operation-declaration.ts';
import type { Caller } from './registry.ts';

/** The handler of each of these operations, by its operationId. */
export type Handlers<Operations extends Record<string, OperatorOperation>> = {
  [Id in keyof Operations]: Handler<Operations[Id]>;
};

/**
 * Runs an operation by the rules of the registry, which validate everything in a call. The one implementation behind
 * the operator API and the command line.
 */
export type Handler<Operation extends OperatorOperation> = (
  call: Call<PathParams<Operation['path']>>,
) => Promise<Operation extends { streams: true } ? AsyncIterable<StreamedPage> : Type.Static<Operation['response']>>;

/** The input of an operation, regardless of the interface that calls it. */
export interface Call<Params> extends RevisionCondition {
  params: Params;
  query: Record<string, unknown>;
  body: unknown;
  caller: Caller;
  /** What the caller may do. */
  scopes: readonly TokenScope[];
  /** Whether this is a dry run. */
  dryRun: boolean;
  /** The means to wait for events, of the operations that do. */
  waits?: EventWaits;
  /** Where an earlier stream was lost. */
  lastEventId?: string;
  /** A signal that the client has disconnected, or at least sends no more. */
  disconnected: () => AbortSignal;
  /** Repeats the check of the token, for a response that comes long after the request. */
  admitAgain: () => Promise<void>;
}

import type { AppRegistryEvent, EventOf, EventType, UnknownEvent } from './event.ts';

/**
 * The handlers by event type. Each receives the events of its type, and `_other` all others.
 *
 * @example
 * const lines: EventVisitor<string> = {
 *   'app.approved': ({ subjectId }) => `${subjectId} was approved`,
 *   _other: ({ type }) => type,
 * };
 * console.log(visit(event, lines));
 */
export type EventVisitor<Result, OtherResult = Result> = {
  [Type in EventType]?: ((event: EventOf<Type>) => Result) | undefined;
} & {
  /** Required, because it also receives types that only a newer registry knows. */
  _other: (event: AppRegistryEvent | UnknownEvent) => OtherResult;
};

/**
 * Passes an event to the handler of its type, or to `_other`, and returns the result.
 *
 * @example
 * const line = visit(event, {
 *   'app.approved': ({ appId }) => `${appId} was approved`,
 *   _other: ({ type }) => type,
 * });
 * console.log(line);
 */
export function visit<Result, OtherResult>(
  event: AppRegistryEvent | UnknownEvent,
  visitor: EventVisitor<Result, OtherResult>,
): Result | OtherResult {
  // An unknown type must not match an inherited property.
  const handlers: object = visitor;
  const own = Object.hasOwn(handlers, event.type) ? (handlers as Handlers<Result>)[event.type] : undefined;
  return own ? own(event) : visitor._other(event);
}

type Handlers<Result> = Record<string, ((event: AppRegistryEvent | UnknownEvent) => Result) | undefined>;

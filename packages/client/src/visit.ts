import type { AppRegistryEvent, UnknownEvent } from './event.ts';

/**
 * What to do with each type of event: each handler is given an event of its type, and `_other` all the others.
 *
 * @example
 * const lines: EventVisitor<string> = {
 *   'app.approved': ({ subjectId }) => `${subjectId} was approved`,
 *   _other: ({ type }) => type,
 * };
 * console.log(visit(event, lines));
 */
export type EventVisitor<Result, OtherResult = Result> = {
  [Type in AppRegistryEvent['type']]?: ((event: Extract<AppRegistryEvent, { type: Type }>) => Result) | undefined;
} & {
  /** Also takes types that a newer registry sends and this version does not know. Hence it is always there. */
  _other: (event: AppRegistryEvent | UnknownEvent) => OtherResult;
};

/**
 * Hands an event to the handler of its type, or to `_other`, and returns what that returns.
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
  // A type from elsewhere must not find what every object inherits.
  const handlers: object = visitor;
  const own = Object.hasOwn(handlers, event.type) ? (handlers as Handlers<Result>)[event.type] : undefined;
  return own ? own(event) : visitor._other(event);
}

type Handlers<Result> = Record<string, ((event: AppRegistryEvent | UnknownEvent) => Result) | undefined>;

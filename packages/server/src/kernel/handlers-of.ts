import type { EventWaits } from '../features/events/feed/event-streams.ts';
import type { Call, Handlers } from './handler.ts';
import { type AnyOperation, runOperation } from './operation.ts';
import type { Registry } from './registry.ts';

/** The handlers of operations that carry their rules. */
export function handlersOf<Operations extends Record<string, AnyOperation>>(operations: Operations) {
  return (registry: Registry, waits?: EventWaits): Handlers<Operations> =>
    Object.fromEntries(
      Object.entries(operations).map(([id, one]) => [
        id,
        (call: Call<unknown>) => runOperation(one, registry, { ...call, ...(waits && { waits }) }),
      ]),
    ) as Handlers<Operations>;
}

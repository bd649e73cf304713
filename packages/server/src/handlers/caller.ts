import type { callerOperations } from '../contract/operations/caller.ts';
import type { Registry } from '../registry/registry.ts';
import { getCaller } from '../registry/tokens/get-caller.ts';
import type { Handlers } from './handler.ts';

/** The caller of the request. */
export function callerHandlers(registry: Registry): Handlers<typeof callerOperations> {
  return { getCaller: ({ caller, scopes }) => getCaller(registry, { ...caller, scopes }) };
}

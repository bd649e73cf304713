import type { callerOperations } from '../contract/operations/caller.ts';
import type { Registry } from '../registry/registry.ts';
import { showCaller } from '../registry/tokens/show-caller.ts';
import type { Handlers } from './handler.ts';

/** The caller of the request. */
export function callerHandlers(registry: Registry): Handlers<typeof callerOperations> {
  return { showCaller: ({ caller, scopes }) => showCaller(registry, { ...caller, scopes }) };
}

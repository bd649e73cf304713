import type { Handlers } from '../../kernel/handler.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { callerOperations } from './caller-operations.ts';
import { getCaller } from './get-caller.ts';

/** The caller of the request. */
export function callerHandlers(registry: Registry): Handlers<typeof callerOperations> {
  return { getCaller: ({ caller, scopes }) => getCaller(registry, { ...caller, scopes }) };
}

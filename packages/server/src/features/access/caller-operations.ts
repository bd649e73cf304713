import type { OperatorOperation } from '../../kernel/operation-declaration.ts';
import { Caller } from './session.ts';

/** Who calls. */
export const callerOperations = {
  getCaller: {
    method: 'GET',
    path: '/operator/v1/caller',
    summary: 'Show who makes the request',
    description: 'Returns the actor that events record, and its scopes.',
    scope: 'read',
    orScope: 'install',
    response: Caller,
  },
} as const satisfies Record<string, OperatorOperation>;

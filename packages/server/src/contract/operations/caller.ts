import { Caller } from '../session.ts';
import type { OperatorOperation } from './operation.ts';

/** Who calls. */
export const callerOperations = {
  showCaller: {
    method: 'GET',
    path: '/operator/v1/caller',
    summary: 'Show who makes the request',
    description: 'As events name them, with their scopes.',
    scope: 'read',
    orScope: 'install',
    response: Caller,
  },
} as const satisfies Record<string, OperatorOperation>;

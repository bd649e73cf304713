import type { OperatorOperation } from '../../../../kernel/operation-declaration.ts';
import { pageOf } from '../../../../kernel/page-parameters.ts';
import { NewProtectedName, ProtectedName, ProtectedNameQuery } from './protected-name.ts';

const protectedNames = '/operator/v1/protected-names';

/** The names and hosts that only some developers may use (decision 28b). */
export const protectedNameOperations = {
  listProtectedNames: {
    method: 'GET',
    path: protectedNames,
    summary: 'List protected names and hosts, ordered by id',
    scope: 'read',
    query: ProtectedNameQuery,
    response: pageOf(ProtectedName, 'ProtectedName'),
  },
  createProtectedName: {
    method: 'POST',
    path: protectedNames,
    summary: 'Protect a name or a host',
    description:
      'The review queue then warns of apps of other developers whose name contains this one, or whose URLs are at the host or a subdomain, and of lookalikes. Nothing is blocked.',
    scope: 'admin',
    body: NewProtectedName,
    creates: true,
    response: ProtectedName,
    refusals: ['already_exists'],
  },
  deleteProtectedName: {
    method: 'DELETE',
    path: `${protectedNames}/:id`,
    summary: 'Stop protecting a name or a host',
    scope: 'admin',
    response: ProtectedName,
    refusals: ['protected_name_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;

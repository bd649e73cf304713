import { DryRunQuery, orDryRun } from '../../kernel/dry-run-result.ts';
import type { OperatorOperation } from '../../kernel/operation-declaration.ts';
import { totalPageOf } from '../../kernel/page-parameters.ts';
import { RevokedTokens } from '../access/access-token.ts';
import {
  Developer,
  DeveloperQuery,
  DeveloperRecord,
  DeveloperUpdate,
  ErasedDeveloper,
  NewDeveloper,
  OperatorDeveloper,
  SuspendedDeveloper,
  Suspension,
  UnsuspendedDeveloper,
} from './developer.ts';

const developers = '/operator/v1/developers';
const developer = `${developers}/:userId` as const;

/** The people whom apps belong to. */
export const developerOperations = {
  listDevelopers: {
    method: 'GET',
    path: developers,
    summary: 'List developers, ordered by id',
    scope: 'read',
    query: DeveloperQuery,
    response: totalPageOf(OperatorDeveloper, 'OperatorDeveloper'),
  },
  createDeveloper: {
    method: 'POST',
    path: developers,
    summary: 'Create a developer',
    scope: 'portal',
    body: NewDeveloper,
    creates: true,
    response: Developer,
    refusals: ['already_exists'],
  },
  getDeveloper: {
    method: 'GET',
    path: developer,
    summary: 'Show a developer',
    scope: 'read',
    response: OperatorDeveloper,
    refusals: ['developer_not_found'],
  },
  getDeveloperRecord: {
    method: 'GET',
    path: `${developer}/record`,
    summary: 'Show the record of a developer: apps, decisions and suspensions',
    description: 'Each count stops at 10,000, so that the response time does not depend on the number of apps.',
    scope: 'read',
    response: DeveloperRecord,
    refusals: ['developer_not_found'],
  },
  updateDeveloper: {
    method: 'PATCH',
    path: developer,
    summary: 'Update a developer',
    description: 'Updates the fields in the body; null clears an optional field. Get App shows the change immediately.',
    scope: 'portal',
    body: DeveloperUpdate,
    response: OperatorDeveloper,
    refusals: ['developer_not_found'],
  },
  eraseDeveloper: {
    method: 'POST',
    path: `${developer}/erase`,
    summary: 'Erase a developer',
    description:
      'Permanently deletes the personal data of a developer and revokes their tokens. The user id, the apps and the history remain.',
    scope: 'admin',
    query: DryRunQuery,
    response: orDryRun(ErasedDeveloper, 'ErasedDeveloper'),
    refusals: ['developer_not_found'],
  },
  suspendDeveloper: {
    method: 'POST',
    path: `${developer}/suspend`,
    summary: 'Suspend a developer',
    description:
      'Stops a developer in one atomic step, regardless of the number of apps: blocks their tokens, revokes their approved apps, disables all installations of their apps, and removes their apps and changes from the review queue. Their apps can then not be submitted, approved, installed or enabled, and no app can be transferred to them. A second suspension keeps the first time and reason.',
    scope: 'admin',
    query: DryRunQuery,
    body: Suspension,
    response: orDryRun(SuspendedDeveloper, 'SuspendedDeveloper'),
    refusals: ['developer_not_found'],
  },
  unsuspendDeveloper: {
    method: 'POST',
    path: `${developer}/unsuspend`,
    summary: 'End the suspension of a developer',
    description:
      'Undoes the effects of the suspension. Apps that were reviewed, deleted or transferred in the meantime stay as they are and are listed. Tokens that have expired or were revoked stay invalid.',
    scope: 'admin',
    query: DryRunQuery,
    response: orDryRun(UnsuspendedDeveloper, 'UnsuspendedDeveloper'),
    refusals: ['developer_not_found'],
  },
  revokeTokensOfDeveloper: {
    method: 'POST',
    path: `${developer}/revoke-tokens`,
    summary: 'Revoke all tokens of a developer',
    scope: 'admin',
    query: DryRunQuery,
    response: orDryRun(RevokedTokens, 'RevokedTokens'),
    refusals: ['developer_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;

import { RevokedTokens } from '../access-token.ts';
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
} from '../developer.ts';
import { DryRunQuery, orDryRun } from '../dry-run.ts';
import { totalPageOf } from '../page.ts';
import type { OperatorOperation } from './operation.ts';

const developers = '/operator/v1/developers';
const developer = `${developers}/:userId` as const;

/** The people whom apps belong to. */
export const developerOperations = {
  listDevelopers: {
    method: 'GET',
    path: developers,
    summary: 'List developers, in the order of their ids',
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
  showDeveloper: {
    method: 'GET',
    path: developer,
    summary: 'Show a developer',
    scope: 'read',
    response: OperatorDeveloper,
    refusals: ['developer_not_found'],
  },
  showDeveloperRecord: {
    method: 'GET',
    path: `${developer}/record`,
    summary: 'Show the record of a developer: apps, decisions and suspensions',
    description: 'Counts up to 10,000 each, so that it takes as long for a developer of any number of apps.',
    scope: 'read',
    response: DeveloperRecord,
    refusals: ['developer_not_found'],
  },
  updateDeveloper: {
    method: 'PATCH',
    path: developer,
    summary: 'Change a developer',
    description: 'Changes the fields that are in the body; null removes an optional one. Get App shows it at once.',
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
      'Deletes the personal data of a developer permanently and revokes their tokens. The user id, the apps and the history stay.',
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
      'Stops a developer at once, in one step for any number of apps: their tokens are refused, their approved apps are revoked, all installations of their apps are disabled, and their apps and changes leave the review queue. Nothing of theirs can be submitted, approved, installed or enabled, and no app can be given to them. A repeat retains the first time and reason.',
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
      'Undoes exactly what the suspension did. Apps that were decided on, deleted or transferred meanwhile are left as they are, and listed. Tokens that expired or were revoked stay so.',
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

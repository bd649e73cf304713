import { RevokedTokens } from '../access-token.ts';
import { Developer, DeveloperQuery, DeveloperUpdate, ErasedDeveloper, NewDeveloper } from '../developer.ts';
import { pageOf } from '../page.ts';
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
    response: pageOf(Developer, 'Developer'),
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
    response: Developer,
    refusals: ['developer_not_found'],
  },
  updateDeveloper: {
    method: 'PATCH',
    path: developer,
    summary: 'Change a developer',
    description: 'Changes the fields that are in the body; null removes an optional one. Get App shows it at once.',
    scope: 'portal',
    body: DeveloperUpdate,
    response: Developer,
    refusals: ['developer_not_found'],
  },
  eraseDeveloper: {
    method: 'POST',
    path: `${developer}/erase`,
    summary: 'Erase a developer',
    description:
      'Deletes the personal data of a developer permanently and revokes their tokens. The user id, the apps and the history stay.',
    scope: 'admin',
    response: ErasedDeveloper,
    refusals: ['developer_not_found'],
  },
  revokeTokensOfDeveloper: {
    method: 'POST',
    path: `${developer}/revoke-tokens`,
    summary: 'Revoke all tokens of a developer',
    scope: 'admin',
    response: RevokedTokens,
    refusals: ['developer_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;

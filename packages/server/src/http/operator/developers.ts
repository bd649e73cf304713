import { RevokedTokens } from '../../contract/access-token.ts';
import { Developer, DeveloperQuery, DeveloperUpdate, ErasedDeveloper, NewDeveloper } from '../../contract/developer.ts';
import { pageOf } from '../../contract/page.ts';
import { createDeveloper } from '../../registry/developers/create-developer.ts';
import { eraseDeveloper } from '../../registry/developers/erase-developer.ts';
import { listDevelopers } from '../../registry/developers/list-developers.ts';
import { showDeveloper } from '../../registry/developers/show-developer.ts';
import { updateDeveloper } from '../../registry/developers/update-developer.ts';
import type { Registry } from '../../registry/registry.ts';
import { revokeTokensOfDeveloper } from '../../registry/tokens/revoke-tokens-of-developer.ts';
import type { Operation } from './operation.ts';

const developers = '/operator/v1/developers';
const developer = `${developers}/:userId`;

/** The people whom apps belong to. */
export function developerOperations(registry: Registry): Operation[] {
  return [
    {
      method: 'GET',
      path: developers,
      id: 'listDevelopers',
      summary: 'List developers, in the order of their ids',
      scope: 'read',
      query: DeveloperQuery,
      answer: pageOf(Developer, 'Developer'),
      handle: ({ query }) => listDevelopers(registry, query),
    },
    {
      method: 'POST',
      path: developers,
      id: 'createDeveloper',
      summary: 'Create a developer',
      scope: 'portal',
      body: NewDeveloper,
      creates: true,
      answer: Developer,
      refusals: ['already_exists'],
      handle: ({ caller, body }) => createDeveloper(registry, caller, body),
    },
    {
      method: 'GET',
      path: developer,
      id: 'showDeveloper',
      summary: 'Show a developer',
      scope: 'read',
      answer: Developer,
      refusals: ['developer_not_found'],
      handle: ({ params: { userId } }) => showDeveloper(registry, userId),
    },
    {
      method: 'PATCH',
      path: developer,
      id: 'updateDeveloper',
      summary: 'Change a developer',
      description: 'Changes the fields that are in the body; null removes an optional one. Get App shows it at once.',
      scope: 'portal',
      body: DeveloperUpdate,
      answer: Developer,
      refusals: ['developer_not_found'],
      handle: ({ caller, params: { userId }, body }) => updateDeveloper(registry, caller, { userId, update: body }),
    },
    {
      method: 'POST',
      path: `${developer}/erase`,
      id: 'eraseDeveloper',
      summary: 'Erase a developer',
      description:
        'Takes the person out of the record for good and revokes their tokens. The user id, the apps and the history stay.',
      scope: 'admin',
      answer: ErasedDeveloper,
      refusals: ['developer_not_found'],
      handle: ({ caller, params: { userId } }) => eraseDeveloper(registry, caller, userId),
    },
    {
      method: 'POST',
      path: `${developer}/revoke-tokens`,
      id: 'revokeTokensOfDeveloper',
      summary: 'Revoke all tokens of a developer',
      scope: 'admin',
      answer: RevokedTokens,
      refusals: ['developer_not_found'],
      handle: ({ caller, params: { userId } }) => revokeTokensOfDeveloper(registry, caller, userId),
    },
  ];
}

import Type from 'typebox';
import { byId, operation } from '../../kernel/operation.ts';
import { openString } from '../../kernel/problem-details.ts';
import { type TokenScope, tokenScopes } from './access-token.ts';
import { namesOfActors } from './actor-names.ts';

/** Who makes a request, as the events of their changes name them. */
const Caller = Type.Object(
  {
    actor: Type.String({
      description: 'The id of a token, or `oidc:` and a subject of an identity provider.',
      examples: ['token_01jq3w4m2je6vs9a1w7p3n0d5e'],
    }),
    actorName: Type.Optional(Type.String({ description: 'The name of the token or the person, if any.' })),
    scopes: Type.Array(openString<TokenScope>(tokenScopes, { description: 'The scopes of the caller.' })),
  },
  { $id: 'Caller', description: 'The caller of a request.' },
);
export type Caller = Type.Static<typeof Caller>;

export const getCaller = operation({
  id: 'getCaller',
  method: 'GET',
  path: '/operator/v1/caller',
  summary: 'Show who makes the request',
  description: 'Returns the actor that events record, and its scopes.',
  scope: 'read',
  orScope: 'install',
  response: Caller,
  command: {
    name: 'whoami',
    description: 'Show who you are, as events record it, and your scopes.',
    examples: ['app-registry whoami --url https://ops.example.com'],
  },
  async run({ registry, caller: { actor }, scopes }) {
    const actorName = (await namesOfActors(registry, [actor])).get(actor);
    return { actor, ...(actorName !== undefined && { actorName }), scopes: [...scopes] };
  },
});

export const callerOperations = byId(getCaller);

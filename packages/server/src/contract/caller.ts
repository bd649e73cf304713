import Type from 'typebox';
import { type TokenScope, tokenScopes } from './access-token.ts';
import { openString } from './problem.ts';

/** Who makes a request, as the events of their changes name them. */
export const Caller = Type.Object(
  {
    actor: Type.String({
      description: 'The id of a token, or `oidc:` and the subject of an identity provider.',
      examples: ['token_01jq3w4m2je6vs9a1w7p3n0d5e'],
    }),
    actorName: Type.Optional(Type.String({ description: 'The name of the token or the person, if there is one.' })),
    scopes: Type.Array(openString<TokenScope>(tokenScopes, { description: 'What they may do.' })),
  },
  { $id: 'Caller', description: 'Who makes a request.' },
);
export type Caller = Type.Static<typeof Caller>;

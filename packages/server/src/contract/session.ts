import Type from 'typebox';
import type { TokenScope } from './access-token.ts';

/** What signs a person in: an operator token, also of an identity provider, or a code that was made for one of ours. */
export const SignIn = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 16_384 }) },
  { $id: 'SignIn', additionalProperties: false },
);
export type SignIn = Type.Static<typeof SignIn>;

/** What an identity provider has sent a browser back with: the query of the address (RFC 6749, 4.1.2). */
export const AuthorizationResponse = Type.Object(
  { query: Type.String({ minLength: 1, maxLength: 16_384 }) },
  { $id: 'AuthorizationResponse', additionalProperties: false },
);
export type AuthorizationResponse = Type.Static<typeof AuthorizationResponse>;

/** What a browser is told of its session: whose token it stands for, what that may do, and until when. */
export interface Session {
  /** As events name it: the id of a token, or the subject of an identity provider. */
  holderId: string;
  name?: string;
  scopes: TokenScope[];
  expiresAt: string;
}

/** Whose session a browser has, if any, and how else than by a token it can get one. */
export interface SignInState {
  session?: Session;
  /** Where an identity provider signs people in. */
  identityProvider: boolean;
}

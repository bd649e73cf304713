import Type from 'typebox';
import type { TokenScope } from './access-token.ts';

/** Signs a person in: an operator token, of the registry or an identity provider, or a sign-in code of a registry token. */
export const SignIn = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 16_384 }) },
  { $id: 'SignIn', additionalProperties: false },
);
export type SignIn = Type.Static<typeof SignIn>;

/** The query of the URL to which an identity provider redirects a browser (RFC 6749, 4.1.2). */
export const AuthorizationResponse = Type.Object(
  { query: Type.String({ minLength: 1, maxLength: 16_384 }) },
  { $id: 'AuthorizationResponse', additionalProperties: false },
);
export type AuthorizationResponse = Type.Static<typeof AuthorizationResponse>;

/** A session as the browser sees it: the token that it stands for, its scopes and its expiry. */
export interface Session {
  /** The actor in events: the id of a token, or the subject of an identity provider. */
  holderId: string;
  name?: string;
  scopes: TokenScope[];
  expiresAt: string;
}

/** The session of a browser, if any, and whether it can sign in without a token. */
export interface SignInState {
  session?: Session;
  /** Whether people can sign in at an identity provider. */
  identityProvider: boolean;
}

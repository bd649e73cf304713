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

/** What this registry calls its console. */
export interface ConsoleBrand {
  name: string;
  /** The path of the image beside the name; the one of the console if absent. */
  mark?: string;
}

/** The session of a browser, if any, whether it can sign in without a token, and what it signs in to. */
export interface SignInState {
  session?: Session;
  brand: ConsoleBrand;
  /** Whether people can sign in at an identity provider. */
  identityProvider: boolean;
  /** How the command line signs people in there, where that is configured. */
  deviceSignIn?: DeviceSignIn;
}

/** What the command line requests of an identity provider to sign a person in (RFC 8628, 3.1). */
export interface DeviceSignIn {
  issuer: string;
  /** A public client. */
  clientId: string;
  scope: string;
  /** Further parameters, such as the audience of the token. */
  parameters: Record<string, string>;
}

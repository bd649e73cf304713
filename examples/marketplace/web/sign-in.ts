import { randomBytes } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as openId from 'openid-client';
import { errorPage } from './layout.ts';

/** The person who is signed in, from the ID token. */
export interface Person {
  id: string;
  name: string;
  /** Of customers. */
  workspace?: { id: string; name: string } | undefined;
}

export interface Session {
  person: Person;
  /** For the registry, or for the userinfo endpoint. It stays on this server. */
  accessToken: string;
  refreshToken?: string | undefined;
  clientId: string;
}

export interface SignInEnv {
  Variables: { session?: Session };
}

interface SignInClient {
  issuer: string;
  /** The address of this application. */
  baseUrl: string;
  /** Cookies are shared by all ports of a host, so each application has its own. */
  cookie: string;
  clientSecret?: string;
  /** Parameters of the authorization request, such as `scope`. */
  parameters: Record<string, string>;
}

interface Attempt {
  clientId: string;
  verifier: string;
  state: string;
}

/** Signs people in by the authorization code flow with PKCE. Sessions are in memory, and the browser has their id alone. */
export class SignIn {
  readonly #client: SignInClient;
  readonly #sessions = new Map<string, Session>();
  readonly #attempts = new Map<string, Attempt>();

  constructor(client: SignInClient) {
    this.#client = client;
  }

  /** Adds the routes to come back by and to sign out, and the session of each request. */
  addTo(app: Hono<SignInEnv>): void {
    app.use(async (context, next) => {
      const session = this.#sessions.get(getCookie(context, this.#client.cookie) ?? '');
      if (session) context.set('session', session);
      await next();
    });
    app.get('/callback', (context) => this.#finish(context));
    app.post('/sign-out', (context) => {
      this.#sessions.delete(getCookie(context, this.#client.cookie) ?? '');
      deleteCookie(context, this.#client.cookie);
      return context.redirect('/');
    });
  }

  /** Sends the browser to the provider. */
  async start(context: Context, clientId: string): Promise<Response> {
    const attempt = { clientId, verifier: openId.randomPKCECodeVerifier(), state: openId.randomState() };
    const url = openId.buildAuthorizationUrl(await this.configuration(clientId), {
      redirect_uri: this.#redirectUri,
      code_challenge: await openId.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      state: attempt.state,
      ...this.#client.parameters,
    });
    this.#attempts.set(this.#newCookie(context, '-attempt'), attempt);
    return context.redirect(url.href);
  }

  /** The provider as one client of it. */
  configuration(clientId: string): Promise<openId.Configuration> {
    const { issuer, clientSecret } = this.#client;
    const authentication = clientSecret ? openId.ClientSecretBasic(clientSecret) : openId.None();
    // The provider of this example is on this machine.
    const execute = [openId.allowInsecureRequests];
    return openId.discovery(new URL(issuer), clientId, {}, authentication, { execute });
  }

  get #redirectUri(): string {
    return `${this.#client.baseUrl}/callback`;
  }

  async #finish(context: Context<SignInEnv>): Promise<Response> {
    const attemptId = getCookie(context, `${this.#client.cookie}-attempt`) ?? '';
    const attempt = this.#attempts.get(attemptId);
    this.#attempts.delete(attemptId);
    if (!attempt)
      return context.html(errorPage('Sign in', 'This sign-in did not start in this browser. Sign in again.'), 400);
    try {
      const session = await this.#exchange(attempt, new URL(context.req.url).search);
      this.#sessions.set(this.#newCookie(context), session);
      return context.redirect('/');
    } catch (error) {
      if (!(error instanceof openId.AuthorizationResponseError || error instanceof openId.ResponseBodyError))
        throw error;
      return context.html(errorPage('Sign in', error.error_description ?? error.error), 403);
    }
  }

  async #exchange({ clientId, verifier, state }: Attempt, search: string): Promise<Session> {
    const tokens = await openId.authorizationCodeGrant(
      await this.configuration(clientId),
      new URL(this.#redirectUri + search),
      { pkceCodeVerifier: verifier, expectedState: state },
      this.#client.parameters.resource ? { resource: this.#client.parameters.resource } : {},
    );
    const claims = tokens.claims();
    const person = {
      id: claims?.sub ?? '',
      name: String(claims?.name),
      workspace: claims?.workspace as Person['workspace'],
    };
    return { person, clientId, accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
  }

  /** A new id each time, so that no one can plant one before the sign-in. */
  #newCookie(context: Context, suffix = ''): string {
    const id = randomBytes(32).toString('base64url');
    setCookie(context, this.#client.cookie + suffix, id, { httpOnly: true, sameSite: 'Lax', path: '/' });
    return id;
  }
}

/// <reference path="./oidc-provider.d.ts" />
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type Provider from 'oidc-provider';

/** The scopes of each person. */
export type People = Record<string, string>;

/** The sign-in page of an OpenID provider. People enter a name without a password, or cancel. */
export class OpenIdLogin {
  /** The part of the provider's configuration that concerns people. */
  static readonly configuration = {
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, name: `${accountId}, by the provider` }),
    }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // Like most providers, it puts the name into the ID token.
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key of no value, as it is only for tests'] },
  };

  readonly #provider: Provider;
  readonly #people: People;
  readonly #audience: string;

  constructor(provider: Provider, { people, audience }: { people: People; audience: string }) {
    this.#provider = provider;
    this.#people = people;
    this.#audience = audience;
  }

  matches({ url }: IncomingMessage): boolean {
    return url?.startsWith('/interaction/') ?? false;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST') return this.#signIn(request, response);
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><link rel="icon" href="data:,"><title>The provider</title><form method="post"><label>You are <input name="login"></label>' +
        '<button>Go on</button><button name="cancel" value="1">Cancel</button></form>',
    );
  }

  async #signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const accountId = form.get('login') ?? '';
    const result = form.has('cancel')
      ? { error: 'access_denied', error_description: 'You <b>would not</b> sign in' }
      : { login: { accountId }, consent: { grantId: await this.#grant(accountId, request, response) } };
    await this.#provider.interactionFinished(request, response, result);
  }

  /** Grants every requested scope that the person has. */
  async #grant(accountId: string, request: IncomingMessage, response: ServerResponse): Promise<string> {
    const { params } = await this.#provider.interactionDetails(request, response);
    const grant = new this.#provider.Grant({ accountId, clientId: params.client_id });
    const own = (this.#people[accountId] ?? '').split(' ');
    const requested = params.scope.split(' ');
    grant.addOIDCScope(params.scope);
    grant.addResourceScope(this.#audience, requested.filter((scope) => own.includes(scope)).join(' '));
    grant.rejectResourceScope(this.#audience, requested.filter((scope) => !own.includes(scope)).join(' '));
    return grant.save();
  }
}

import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  discovery,
  None,
} from 'openid-client';

export interface ProviderClientSettings {
  issuer: string;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
}

const timeoutSeconds = 5;
const refreshMs = 300_000;

/** A client of an identity provider, which finds its endpoints by OpenID Connect Discovery. */
export class ProviderClient {
  readonly #settings: ProviderClientSettings;
  #discovered: { configuration: Promise<Configuration>; at: number } | null = null;

  constructor(settings: ProviderClientSettings) {
    this.#settings = settings;
  }

  /** Cached for some minutes; concurrent callers share one request, and a failure is not cached. */
  configuration(): Promise<Configuration> {
    if (this.#discovered && performance.now() - this.#discovered.at < refreshMs) return this.#discovered.configuration;
    const discovered = { configuration: this.#discover(), at: performance.now() };
    this.#discovered = discovered;
    discovered.configuration.catch(() => {
      if (this.#discovered === discovered) this.#discovered = null;
    });
    return discovered.configuration;
  }

  #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    return discovery(new URL(issuer), clientId, undefined, clientAuth(clientSecret), {
      timeout: timeoutSeconds,
      // An issuer without TLS is on this machine.
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    });
  }
}

/** In the header, which every provider must support (RFC 6749, 2.3.1), unless one lists only the form. */
function clientAuth(secret: string | null): ClientAuth {
  if (secret === null) return None();
  const [inHeader, inForm] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isFormOnly = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    return (isFormOnly ? inForm : inHeader)(server, ...request);
  };
}

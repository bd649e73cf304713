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

/** A client of an identity provider, whose endpoints are found by OpenID Connect Discovery. */
export class ProviderClient {
  readonly #settings: ProviderClientSettings;
  #asked: { configuration: Promise<Configuration>; at: number } | null = null;

  constructor(settings: ProviderClientSettings) {
    this.#settings = settings;
  }

  /** Asked for now and then, by one request at a time; what has failed is asked for anew. */
  configuration(): Promise<Configuration> {
    if (this.#asked && performance.now() - this.#asked.at < refreshMs) return this.#asked.configuration;
    const asked = { configuration: this.#discover(), at: performance.now() };
    this.#asked = asked;
    asked.configuration.catch(() => {
      if (this.#asked === asked) this.#asked = null;
    });
    return asked.configuration;
  }

  #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    return discovery(new URL(issuer), clientId, undefined, clientAuth(clientSecret), {
      timeout: timeoutSeconds,
      // An issuer without TLS is one of this machine.
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    });
  }
}

/** In the header, as every provider must take it (RFC 6749, 2.3.1), but where one says that it takes the form alone. */
function clientAuth(secret: string | null): ClientAuth {
  if (secret === null) return None();
  const [inHeader, inForm] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isFormAlone = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    return (isFormAlone ? inForm : inHeader)(server, ...request);
  };
}

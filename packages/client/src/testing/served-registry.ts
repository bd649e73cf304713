import { type Engine, sqlite } from '@appregistrar/testkit/engines/engines';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { type Config, readConfig } from '../../../server/src/config/config.ts';
import { type Server, startServer } from '../../../server/src/serve.ts';
import { AppRegistryClient } from '../client/app-registry-client.ts';
import type { ClientSettings } from '../client/options.ts';
import { OperatorClient } from '../operator/operator-client.ts';

const baseUrl = 'http://registry.example';

/** A served registry, as in a deployment, and its clients. */
export class ServedRegistry {
  readonly data: RegistryFixture;
  readonly log: CapturedLog;
  readonly tokens: { developer: string; platform: string };
  readonly #config: Config;
  #server: Server;

  static async start(variables: Record<string, string> = {}, engine: Engine = sqlite): Promise<ServedRegistry> {
    const data = await RegistryFixture.open(engine);
    const log = new CapturedLog();
    const anywhere = {
      PUBLIC_ADDRESS: '127.0.0.1:0',
      OPERATOR_ADDRESS: '127.0.0.1:0',
      RATE_LIMIT_OPERATOR_REQUESTS_PER_MINUTE: '0',
    };
    const config = readConfig({ ...anywhere, DATABASE_URL: data.databaseUrl, ...variables });
    const server = await startServer(config, log.logger);
    const tokens = {
      developer: (await data.newToken('developer')).token,
      platform: (await data.newToken('platform')).token,
    };
    return new ServedRegistry({ data, log, config, server, tokens });
  }

  private constructor(parts: {
    data: RegistryFixture;
    log: CapturedLog;
    config: Config;
    server: Server;
    tokens: { developer: string; platform: string };
  }) {
    this.data = parts.data;
    this.log = parts.log;
    this.tokens = parts.tokens;
    this.#config = parts.config;
    this.#server = parts.server;
  }

  get port(): number {
    return this.#server.publicAddress.port;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get operatorUrl(): string {
    return `http://127.0.0.1:${this.#server.operatorAddress.port}/operator/v1`;
  }

  /** A client with a developer token by default. */
  client(settings: Partial<ClientSettings> & { baseUrl?: string } = {}): AppRegistryClient {
    return new AppRegistryClient({ token: this.tokens.developer, baseUrl: this.baseUrl, ...settings });
  }

  platformClient(settings: Partial<ClientSettings> & { baseUrl?: string } = {}): AppRegistryClient {
    return this.client({ token: this.tokens.platform, ...settings });
  }

  /** A client of the operator API, with a new token of all scopes, that follows the registry to other ports. */
  async operator(settings: Partial<ClientSettings> = {}): Promise<OperatorClient> {
    const { token } = await this.data.newToken('operator');
    return new OperatorClient({ baseUrl, token, fetch: this.fetch, ...settings });
  }

  /** Sends a request of such a client. */
  readonly fetch: typeof fetch = (url, init) =>
    fetch(String(url).replace(`${baseUrl}/operator/v1`, this.operatorUrl), init);

  /** Serves the same database again, on other ports. `meanwhile` runs while nothing serves it. */
  async restart(meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
    await this.#server.stop();
    await meanwhile();
    this.#server = await startServer(this.#config, this.log.logger);
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    await this.data.close();
  }
}

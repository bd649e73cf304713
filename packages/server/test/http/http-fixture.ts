import type { Engine } from '@appregistrar/testkit/engines/engines';
import { getAppRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { RegistryFixture, type RegistryFixtureSettings } from '@appregistrar/testkit/registry/registry-fixture';
import { readConfig } from '../../src/config/config.ts';
import type { DeveloperApp, PlatformApp } from '../../src/features/apps/app-schemas.ts';
import { authenticateWith, type IdentityProvider } from '../../src/http/identity-provider/identity-provider.ts';
import type { ListenerLimits } from '../../src/http/listener/connections.ts';
import { createListener } from '../../src/http/listener/listener.ts';
import { HttpMetrics } from '../../src/http/listener/request-context.ts';
import { Cors } from '../../src/http/listener/request-header.ts';
import { mount } from '../../src/http/listener/route.ts';
import { publicRoutes } from '../../src/http/public/public-routes.ts';
import { inject } from './inject.ts';
import { ListenerFixture, type ListenerParts } from './listener-fixture.ts';

export interface HttpFixtureSettings extends RegistryFixtureSettings, Partial<ListenerLimits> {
  /** The rate limits are off unless given. */
  updatesPerMinute?: number;
  readsPerMinute?: number;
  storedBytesPerDeveloperPerDay?: number;
  corsOrigins?: string[];
  trustedProxies?: string[];
  stallMsMax?: number;
  streamsAtOnceMax?: number;
  /** Its tokens are accepted too. */
  identityProvider?: IdentityProvider;
}

interface Tokens {
  developer: string;
  otherDeveloper: string;
  platform: string;
  operator: string;
}

const baseUrl = 'https://apps.example.com';

/** The public listener on a registry. */
export class HttpFixture extends ListenerFixture {
  readonly tokens: Tokens;

  static async open(engine: Engine, settings: HttpFixtureSettings = {}): Promise<HttpFixture> {
    const data = await RegistryFixture.open(engine, settings);
    const log = new CapturedLog();
    const { identityProvider = null, ...limits } = settings;
    const config = {
      ...readConfig({}),
      baseUrl,
      updatesPerMinute: 0,
      readsPerMinute: 0,
      storedBytesPerDeveloperPerDay: 0,
      ...limits,
    };
    const cors = new Cors(config.corsOrigins);
    const parts = { logger: log.logger, metrics: new HttpMetrics(), draining: new AbortController().signal, cors };
    const listener = createListener({ ...config, ...parts });
    mount(listener, publicRoutes(data.registry, config), {
      authenticate: authenticateWith(data.registry, identityProvider),
      cors,
    });
    const { otherDeveloper } = data;
    const tokens = {
      developer: (await data.newToken('developer')).token,
      otherDeveloper: (await data.newToken('developer', { developerId: otherDeveloper.id })).token,
      platform: (await data.newToken('platform')).token,
      operator: (await data.newToken('operator')).token,
    };
    const documentText = (await inject(listener, '/openapi.json')).payload;
    return new HttpFixture({ data, log, listener, tokens, documentText });
  }

  private constructor({ tokens, ...parts }: ListenerParts & { tokens: Tokens }) {
    super(parts);
    this.tokens = tokens;
  }

  /** Update App by the app's developer. Text and bytes are sent unchanged, anything else as JSON. */
  async updateApp(
    id: string,
    update: unknown,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse<DeveloperApp>> {
    const request = updateAppRequest(this.tokens.developer, { id, update, headers });
    const isEncoded = typeof update === 'string' || Buffer.isBuffer(update);
    return this.send<DeveloperApp>(isEncoded ? { ...request, body: update } : request);
  }

  /** Get App by the platform. */
  async getApp(id: string, headers: Record<string, string> = {}): Promise<HttpResponse<PlatformApp>> {
    return this.send<PlatformApp>(getAppRequest(this.tokens.platform, id, headers));
  }

  /** Everything visible of an app, to compare before and after a request that must not change it. */
  async stateOf(id: string): Promise<object> {
    const developer = await this.updateApp(id, {});
    const platform = await this.getApp(id);
    const events = await this.data.eventsOf(id);
    return {
      developer: [developer.view, developer.etag],
      platform: [platform.view, platform.etag],
      events: events.map((event) => event.type),
    };
  }
}

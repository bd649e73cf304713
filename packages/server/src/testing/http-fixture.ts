import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { readConfig } from '../config/config.ts';
import type { DeveloperApp, PlatformApp } from '../contract/app.ts';
import { Cors } from '../http/cors.ts';
import { createListener } from '../http/listener.ts';
import type { ListenerLimits } from '../http/listener-limits.ts';
import { HttpMetrics } from '../http/metrics.ts';
import { publicRoutes } from '../http/public/public-routes.ts';
import { mount } from '../http/route.ts';
import { Answer } from './answer.ts';
import { CapturedLog } from './captured-log.ts';
import type { Engine } from './engines.ts';
import { type Document, PublishedDocument } from './published-document.ts';
import { exchange } from './raw-http.ts';
import { RegistryFixture, type RegistryFixtureSettings } from './registry-fixture.ts';

export interface HttpFixtureSettings extends RegistryFixtureSettings, Partial<ListenerLimits> {
  /** The rate limits are off unless given. */
  updatesPerMinute?: number;
  readsPerMinute?: number;
  corsOrigins?: string[];
  trustedProxies?: string[];
  stallMsMax?: number;
  streamsAtOnceMax?: number;
}

export interface TestRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const baseUrl = 'https://apps.example.com';

/**
 * The public listener on a registry. Every response that a test gets through it is judged by the
 * published OpenAPI document, and closing it judges the log.
 */
export class HttpFixture {
  readonly data: RegistryFixture;
  readonly listener: FastifyInstance;
  readonly log: CapturedLog;
  readonly document: Document;
  /** Of the developer of the apps, of another one, and of the platform. */
  readonly tokens: { developer: string; otherDeveloper: string; platform: string; operator: string };
  readonly #published: PublishedDocument;
  readonly #answers = new Map<string, Answer>();
  #port: Promise<number> | undefined;

  static async open(engine: Engine, settings: HttpFixtureSettings = {}): Promise<HttpFixture> {
    const data = await RegistryFixture.open(engine, settings);
    const log = new CapturedLog();
    const config = { ...readConfig({}), baseUrl, updatesPerMinute: 0, readsPerMinute: 0, ...settings };
    const cors = new Cors(config.corsOrigins);
    const parts = { logger: log.logger, metrics: new HttpMetrics(), isDraining: () => false, cors };
    const listener = createListener({ ...config, ...parts });
    mount(listener, publicRoutes(data.registry, config), cors);
    const { otherDeveloper } = data;
    const tokens = {
      developer: (await data.newToken('developer')).token,
      otherDeveloper: (await data.newToken('developer', { developerId: otherDeveloper.userId })).token,
      platform: (await data.newToken('platform')).token,
      operator: (await data.newToken('operator')).token,
    };
    const document: Document = (await listener.inject('/openapi.json')).json();
    return new HttpFixture({ data, log, listener, tokens, document });
  }

  private constructor(parts: Pick<HttpFixture, 'data' | 'log' | 'listener' | 'tokens' | 'document'>) {
    this.data = parts.data;
    this.log = parts.log;
    this.listener = parts.listener;
    this.tokens = parts.tokens;
    this.document = parts.document;
    this.#published = new PublishedDocument(parts.document);
  }

  /** Update App by the app's developer; an update that is not text is sent as JSON. */
  async updateApp(id: string, update: unknown, headers: Record<string, string> = {}): Promise<Answer<DeveloperApp>> {
    const isText = typeof update === 'string' || Buffer.isBuffer(update);
    return this.send<DeveloperApp>({
      method: 'PATCH',
      path: `/developer/apps/v1/${id}`,
      headers: { ...bearer(this.tokens.developer), 'content-type': 'application/json', ...headers },
      body: isText ? update : JSON.stringify(update),
    });
  }

  /** Get App by the platform. */
  async getApp(id: string, headers: Record<string, string> = {}): Promise<Answer<PlatformApp>> {
    return this.send<PlatformApp>({
      method: 'GET',
      path: `/platform/apps/v1/${id}`,
      headers: { ...bearer(this.tokens.platform), ...headers },
    });
  }

  /** All that is seen of an app: to be equal before and after what must change nothing. */
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

  /** Without a socket. */
  async send<View>({ method, path, headers = {}, body }: TestRequest): Promise<Answer<View>> {
    const response = await this.listener.inject({
      method: method as 'GET',
      url: path,
      headers,
      ...(body !== undefined && { payload: body }),
    });
    const text = response.headers['content-encoding'] === 'gzip' ? gunzip(response.rawPayload) : response.body;
    return this.#judge({ method, path }, new Answer<View>(response.statusCode, textual(response.headers), text));
  }

  /** The bytes as they are over a socket, which the last of the answers must close. */
  async exchange(request: string | Uint8Array): Promise<Answer[]> {
    const answers = await exchange(await this.port(), request);
    const [, method = '', path = ''] = /^([A-Z]+) (\S+) HTTP/.exec(String(request)) ?? [];
    return answers.map((answer) => this.#judge({ method, path }, answer));
  }

  /** Where the listener is on 127.0.0.1. */
  port(): Promise<number> {
    this.#port ??= this.listener
      .listen({ host: '127.0.0.1', port: 0 })
      .then(() => (this.listener.server.address() as AddressInfo).port);
    return this.#port;
  }

  async close(): Promise<void> {
    await this.listener.close();
    await this.data.close();
    this.#assertLogged();
  }

  #judge<View>(request: { method: string; path: string }, answer: Answer<View>): Answer<View> {
    this.#published.assertKept(request, answer);
    this.#answers.set(answer.headers['x-request-id'] as string, answer);
    return answer;
  }

  /** Each answer was logged once, and no secret and no email address ever. */
  #assertLogged(): void {
    const requests = this.log.requests();
    for (const [requestId, { status }] of this.#answers) {
      const lines = requests.get(requestId) ?? [];
      assert.deepEqual(
        lines.map((line) => line.status),
        [status],
        `the log of request ${requestId}`,
      );
    }
    assert.doesNotMatch(this.log.text, /appreg_|@example\.com/);
  }
}

/** The header field that carries a token. */
export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** The answer to a HEAD has the header of a body, and none. */
function gunzip(body: Buffer): string {
  return body.length === 0 ? '' : gunzipSync(body).toString();
}

function textual(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { CapturedLog } from '../registry/captured-log.ts';
import type { RegistryFixture } from '../registry/registry-fixture.ts';
import { inject } from './inject.ts';
import { type Document, PublishedDocument } from './published-document.ts';
import { exchange } from './raw-http.ts';
import { Answer } from './response.ts';

export interface TestRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface ListenerParts {
  data: RegistryFixture;
  listener: FastifyInstance;
  log: CapturedLog;
  /** What the listener publishes at `/openapi.json`. */
  document: Document;
}

/**
 * A listener on a registry. Every response that a test gets through it is judged by the OpenAPI document
 * that it publishes, and closing it judges the log.
 */
export class ListenerFixture {
  readonly data: RegistryFixture;
  readonly listener: FastifyInstance;
  readonly log: CapturedLog;
  readonly document: Document;
  readonly #published: PublishedDocument;
  readonly #answers = new Map<string, Answer>();
  #port: Promise<number> | undefined;

  constructor({ data, listener, log, document }: ListenerParts) {
    this.data = data;
    this.listener = listener;
    this.log = log;
    this.document = document;
    this.#published = new PublishedDocument(document);
  }

  /** Without a socket. */
  async send<View>({ method, path, headers = {}, body }: TestRequest): Promise<Answer<View>> {
    const response = await inject(this.listener, {
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

/** The answer to a HEAD has the header of a body, and none. */
function gunzip(body: Buffer): string {
  return body.length === 0 ? '' : gunzipSync(body).toString();
}

function textual(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

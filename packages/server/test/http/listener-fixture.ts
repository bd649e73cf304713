import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { type Document, PublishedDocument } from '@appregistrar/testkit/http/published-document';
import type { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import type { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { FastifyInstance } from 'fastify';
import { exchange } from './exchange.ts';
import { inject } from './inject.ts';

export interface ListenerParts {
  data: RegistryFixture;
  listener: FastifyInstance;
  log: CapturedLog;
  /** What the listener publishes at `/openapi.json`. */
  documentText: string;
}

/**
 * A listener on a registry. Validates every response against the OpenAPI document that the listener publishes, and
 * the log when it closes.
 */
export class ListenerFixture {
  readonly data: RegistryFixture;
  readonly listener: FastifyInstance;
  readonly log: CapturedLog;
  readonly document: Document;
  readonly #published: PublishedDocument;
  readonly #responses = new Map<string, HttpResponse>();
  #port: Promise<number> | undefined;

  constructor({ data, listener, log, documentText }: ListenerParts) {
    this.data = data;
    this.listener = listener;
    this.log = log;
    this.document = JSON.parse(documentText);
    this.#published = PublishedDocument.ofText(documentText);
  }

  /** Sends a request without a socket. */
  async send<View>({ method, path, headers = {}, body }: HttpRequest): Promise<HttpResponse<View>> {
    const response = await inject(this.listener, {
      method: method as 'GET',
      url: path,
      headers,
      ...(body !== undefined && { payload: body }),
    });
    const { statusCode, rawPayload } = response;
    return this.#check({ method, path }, new HttpResponse<View>(statusCode, textual(response.headers), rawPayload));
  }

  /** Sends bytes unchanged over a socket. The last response must close the connection. */
  async exchange(request: string | Uint8Array): Promise<HttpResponse[]> {
    const responses = await exchange(await this.port(), request);
    const [, method = '', path = ''] = /^([A-Z]+) (\S+) HTTP/.exec(String(request)) ?? [];
    return responses.map((response) => this.#check({ method, path }, response));
  }

  /** The listener's port on 127.0.0.1. */
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

  #check<View>(request: HttpRequest, response: HttpResponse<View>): HttpResponse<View> {
    this.#published.assertDocumented(request, response);
    this.#responses.set(response.headers['x-request-id'] as string, response);
    return response;
  }

  /** Each response was logged once, without a secret or an email address. */
  #assertLogged(): void {
    const requests = this.log.requests();
    for (const [requestId, { status }] of this.#responses) {
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

function textual(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

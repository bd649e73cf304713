import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { readConfig } from '../../../server/src/config/config.ts';
import type { Problem } from '../../../server/src/contract/problem.ts';
import { revisionTag } from '../../../server/src/http/body/revision-tag.ts';
import { createListener } from '../../../server/src/http/listener/listener.ts';
import { HttpMetrics } from '../../../server/src/http/listener/metrics.ts';
import { mount, type Route } from '../../../server/src/http/listener/route.ts';
import type { Documented } from '../../../server/src/http/openapi/openapi.ts';
import { operatorOperations } from '../../../server/src/http/operator/operator-routes.ts';
import { authenticate } from '../../../server/src/registry/tokens/authenticate.ts';
import { encodeForm } from '../http/form.ts';
import { bearer } from '../http/http-fixture.ts';
import { inject } from '../http/inject.ts';
import { CapturedLog } from '../registry/captured-log.ts';
import type { Line, OperationRequest } from './line.ts';
import type { Twin } from './parity.ts';
import type { Answered, ParityInterface } from './parity-interface.ts';

/** The operator API. */
export class OperatorApiInterface implements ParityInterface {
  readonly twin: Twin;
  readonly actor: string;
  readonly operations: (Route & Documented)[];
  readonly #byId: Map<string, Route & Documented>;
  readonly #listener: FastifyInstance;

  constructor(twin: Twin) {
    const { registry, token } = twin;
    const { logger } = new CapturedLog();
    this.twin = twin;
    this.actor = token.id;
    this.operations = operatorOperations(registry);
    this.#byId = new Map(this.operations.map((one) => [one.operation.operationId, one]));
    this.#listener = createListener({
      ...readConfig({}),
      logger,
      metrics: new HttpMetrics(),
      isDraining: () => false,
    });
    mount(this.#listener, this.operations, { authenticate: (text) => authenticate(registry, text) });
  }

  async ask({ operation: id, request }: Line): Promise<Answered> {
    const operation = this.#byId.get(id);
    assert.ok(operation, `there is no operation ${id}`);
    const { statusCode, body } = await inject(this.#listener, {
      method: operation.method,
      url: this.#address(operation.path, request),
      ...(await this.#content(request)),
    });
    if (statusCode < 300) return { answer: JSON.parse(body) };
    const { code, title, detail, errors }: Problem = JSON.parse(body);
    return { refusal: { code, title, detail, ...(errors && { errors }) } };
  }

  #address(path: string, { id = '', query = {} }: OperationRequest): string {
    const { names } = this.twin;
    const values = Object.entries(query).map(([name, value]) => [name, names.meant(value)]);
    return `${path.replace(/:\w+/, encodeURIComponent(names.meant(id)))}?${new URLSearchParams(values)}`;
  }

  async #content({ body, form, revision }: OperationRequest) {
    const { registry, token, names } = this.twin;
    const headers = {
      ...bearer(token.token),
      ...(revision !== undefined && { 'if-match': revisionTag(registry, revision) }),
    };
    if (form) {
      const encoded = await encodeForm({ developerId: form.developerId, image: await readFile(form.image) });
      return { headers: { ...headers, ...encoded.headers }, payload: encoded.body };
    }
    if (!body) return { headers };
    return { headers: { ...headers, 'content-type': 'application/json' }, payload: names.meant(JSON.stringify(body)) };
  }

  close(): Promise<void> {
    return this.#listener.close();
  }
}

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { InjectOptions } from 'light-my-request';
import { findApp } from '../../../server/src/features/apps/app-queries.ts';
import { findRevision, readHistory } from '../../../server/src/features/apps/revisions/revision-history.ts';
import { operatorOperations } from '../../../server/src/features/operations.ts';
import { findSettings } from '../../../server/src/features/settings/setting-queries.ts';
import type { OperatorOperation } from '../../../server/src/kernel/operation.ts';
import type { Problem } from '../../../server/src/kernel/problem-details.ts';
import { newRevisionNonce, revisionETag } from '../../../server/src/kernel/revision.ts';
import { encodeForm } from '../http/form.ts';
import { bearer } from '../http/http-request.ts';
import { inject } from '../http/inject.ts';
import { operatorListener } from './operator-listener.ts';
import type { OperationRequest, ParityCase } from './parity-case.ts';
import type { ParityInterface, Result } from './parity-interface.ts';
import type { ParityRegistry } from './parity-registry.ts';

const operations: Record<string, OperatorOperation> = operatorOperations;

/** The operator API. */
export class OperatorApiInterface implements ParityInterface {
  readonly target: ParityRegistry;
  readonly actor: string;
  readonly #listener: FastifyInstance;
  #request: InjectOptions = {};

  constructor(target: ParityRegistry) {
    this.target = target;
    this.actor = target.token.id;
    this.#listener = operatorListener(target.registry);
  }

  /** Only what its requests give is in their events. */
  reasonOf(): undefined {}

  async call({ operationId, request }: ParityCase): Promise<Result> {
    const operation = operations[operationId];
    assert.ok(operation, `there is no operation ${operationId}`);
    this.#request = {
      method: operation.method,
      url: this.#urlOf(operation.path, request),
      ...(await this.#contentOf(request)),
    };
    return this.repeat();
  }

  /** Sends the last request again, exactly as it was. */
  async repeat(): Promise<Result> {
    const { statusCode, body, headers } = await inject(this.#listener, this.#request);
    const isReplayed = headers['idempotency-replayed'] === 'true';
    if (statusCode < 300) return { response: JSON.parse(body), ...(isReplayed && { isReplayed }) };
    const { code, title, detail, errors }: Problem = JSON.parse(body);
    return { refusal: { code, title, detail, ...(errors && { errors }) } };
  }

  #urlOf(path: string, { id = '', item = '', query = {} }: OperationRequest): string {
    const { names } = this.target;
    const values = Object.entries(query).map(([name, value]) => [name, names.replaceNames(value)]);
    const [first, second] = [id, item].map((value) => encodeURIComponent(names.replaceNames(value)));
    return `${path.replace(/:\w+/, `${first}`).replace(/:\w+/, `${second}`)}?${new URLSearchParams(values)}`;
  }

  async #contentOf({ id, body, form, revision, idempotencyKey }: OperationRequest) {
    const { token, names } = this.target;
    const headers = {
      ...bearer(token.token),
      ...(revision !== undefined && { 'if-match': await this.#tagOf(revision, id) }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    if (form) {
      const encoded = await encodeForm({ developerId: form.developerId, image: await readFile(form.image) });
      return { headers: { ...headers, ...encoded.headers }, payload: encoded.body };
    }
    if (!body) return { headers };
    return {
      headers: { ...headers, 'content-type': 'application/json' },
      payload: names.replaceNames(JSON.stringify(body)),
    };
  }

  /** The ETag of a revision of an app, or of the settings. */
  async #tagOf(revision: number, appId?: string): Promise<string> {
    const { registry } = this.target;
    const { reader } = registry.storage;
    const row = await (appId === undefined ? findSettings(reader, {}) : findApp(reader, { id: appId }));
    const revisionNonce = row?.revision === revision ? row.revision_nonce : await this.#earlierNonce(revision, appId);
    return revisionETag(registry, { revision, revision_nonce: revisionNonce });
  }

  /** Another one when there is no such revision, or none that is known. */
  async #earlierNonce(name: number, appId = ''): Promise<string> {
    const { registry } = this.target;
    const found = readHistory(registry, appId, (snapshot, app) => findRevision(registry, snapshot, { app, name }));
    return found.then(
      ({ revisionNonce }) => revisionNonce ?? newRevisionNonce(),
      () => newRevisionNonce(),
    );
  }

  close(): Promise<void> {
    return this.#listener.close();
  }
}

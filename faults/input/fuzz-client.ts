import { AssertionError } from 'node:assert';
import { requestBytes } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { PublishedDocument } from '@appregistrar/testkit/http/published-document';
import { RawConnection } from '@appregistrar/testkit/http/raw-connection';
import type { DeveloperApp } from '../../packages/server/src/features/apps/app-schemas.ts';
import type { SeededRandom } from '../../scripts/seeded-random.ts';
import { BrokenGuarantee, guarantee } from '../harness/fault-injection.ts';
import { ExpectedApp } from './expected-app.ts';
import { type FuzzRequest, fuzzRequest } from './fuzz-request.ts';
import { documents, type KnownIds, operations } from './operations.ts';

const published = {
  public: new PublishedDocument(documents.public),
  operator: new PublishedDocument(documents.operator),
};
const idsMax = 40;

export interface FuzzClientParts {
  random: SeededRandom;
  ports: { public: number; operator: number };
  tokens: { developer: string; platform: string; operator: string };
  /** Apps that no other client changes. */
  apps: DeveloperApp[];
  /** Objects that operators may change, delete and erase. */
  sandbox: KnownIds;
}

/** Sends fuzzed requests one after another, and checks each response against its request. */
export class FuzzClient {
  /** The ids of accepted change requests. */
  readonly accepted = new Set<string>();
  /** The ids of objects in their responses. */
  readonly shown = new Set<string>();
  readonly statuses: Record<number, number> = {};
  readonly #parts: FuzzClientParts;
  readonly #apps: Map<string, ExpectedApp>;
  readonly #connections: { public: RawConnection; operator: RawConnection };

  constructor(parts: FuzzClientParts) {
    this.#parts = parts;
    this.#apps = new Map(parts.apps.map((app) => [app.id, new ExpectedApp(app)]));
    this.#connections = {
      public: new RawConnection(parts.ports.public),
      operator: new RawConnection(parts.ports.operator),
    };
  }

  /** Throws `BrokenGuarantee` unless the response is allowed for the request. */
  async sendOne(): Promise<void> {
    const request = this.#request();
    const response = await this.#send(request);
    this.statuses[response.status] = (this.statuses[response.status] ?? 0) + 1;
    try {
      this.#check(request, response);
    } catch (error) {
      if (!(error instanceof BrokenGuarantee || error instanceof AssertionError)) throw error;
      throw new BrokenGuarantee(
        `${error.message}\n${describeRequest(request)}\n  -> ${response.status} ${response.text.slice(0, 500)}`,
      );
    }
  }

  /** Throws if one of its own apps has changed unexpectedly, for its developer or for the platform. */
  async assertApps(): Promise<void> {
    const { tokens } = this.#parts;
    for (const [id, app] of this.#apps) {
      const body = Buffer.from('{}');
      const read = await this.#send({ ...this.#plain('PATCH', `/developer/apps/v1/${id}`, tokens.developer), body });
      const view = JSON.parse(read.text) as DeveloperApp;
      app.assertUnchanged(view);
      const shown = await this.#send(this.#plain('GET', `/platform/apps/v1/${id}`, tokens.platform));
      guarantee(JSON.parse(shown.text).name === view.name, `the platform sees another name of ${id}`);
    }
  }

  close(): void {
    this.#connections.public.close();
    this.#connections.operator.close();
  }

  #request(): FuzzRequest {
    const { random, tokens, ports, sandbox } = this.#parts;
    if (random.chance(0.4)) {
      const operation = random.pick(operations.operator as [(typeof operations.operator)[number]]);
      // Rendering an image is slow.
      if (operation.isForm && random.chance(0.7)) return this.#request();
      return fuzzRequest(operation, {
        random,
        ids: sandbox,
        token: tokens.operator,
        host: `127.0.0.1:${ports.operator}`,
      });
    }
    const operation = random.pick(operations.public as [(typeof operations.public)[number]]);
    const token = operation.method === 'PATCH' ? tokens.developer : tokens.platform;
    const ids = { app: [...this.#apps.keys()] };
    return fuzzRequest(operation, { random, ids, token, host: `127.0.0.1:${ports.public}` });
  }

  #plain(method: string, path: string, token: string): FuzzRequest {
    const host = `127.0.0.1:${this.#parts.ports.public}`;
    const headers = { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return { isPublic: true, method, path, headers, body: undefined, mustBeInvalidJson: false };
  }

  async #send(request: FuzzRequest): Promise<HttpResponse> {
    const connection = request.isPublic ? this.#connections.public : this.#connections.operator;
    try {
      return await connection.send(requestBytes(request), { isHead: request.method === 'HEAD' });
    } catch (error) {
      throw new BrokenGuarantee(`${error} \n${describeRequest(request)}`);
    }
  }

  #check(request: FuzzRequest, response: HttpResponse): void {
    const { isPublic, method, path, mustBeInvalidJson } = request;
    guarantee(response.status < 500 || response.status === 501, `a ${response.status}`);
    // The router ends a path at a fragment, which a request target never has.
    const [target = ''] = path.split('#');
    (isPublic ? published.public : published.operator).assertDocumented({ method, path: target }, response);
    if (mustBeInvalidJson) guarantee(response.refusal === '400 invalid_json', 'not 400 invalid_json');
    const isChange = !['GET', 'HEAD', 'OPTIONS'].includes(method);
    if (response.status >= 300 || !isChange || response.text === '') return;
    this.accepted.add(response.headers['x-request-id'] ?? '');
    const text = request.headers['content-type']?.startsWith('multipart') ? '' : (request.body?.toString() ?? '');
    const body = text === '' ? undefined : JSON.parse(text);
    if (isPublic) this.#acceptUpdate(body, JSON.parse(response.text));
    else this.#acceptChange(body ?? {}, JSON.parse(response.text));
  }

  #acceptUpdate(body: unknown, view: DeveloperApp): void {
    const app = this.#apps.get(view.id);
    guarantee(app, 'an update of another developer’s app was accepted');
    app.accept(body, view);
  }

  #acceptChange(body: object, view: Record<string, unknown>): void {
    assertReturned(body, view);
    for (const id of [view.id, view.userId]) if (typeof id === 'string') this.#remember(id);
  }

  #remember(id: string): void {
    const { sandbox, random } = this.#parts;
    this.shown.add(id);
    const prefix = id.slice(0, id.lastIndexOf('_'));
    const known = sandbox[prefix] ?? [];
    sandbox[prefix] = known;
    if (known.length < idsMax) known.push(id);
    else known[random.between(0, idsMax - 1)] = id;
  }
}

/** Asserts that the response has every text of the request unchanged. Ids may be in their other form, hosts in ASCII. */
function assertReturned(body: object, view: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(body)) {
    const returned = view[name];
    if (typeof value === 'string' && typeof returned === 'string' && !name.endsWith('Id')) {
      guarantee(
        value === returned || (name === 'host' && canonicalHost(value) === returned),
        `${name} was sent as ${JSON.stringify(value)} and returned as ${JSON.stringify(returned)}`,
      );
    } else if (typeof value === 'object' && value !== null && typeof returned === 'object' && returned !== null) {
      assertReturned(value, returned as Record<string, unknown>);
    }
  }
}

function canonicalHost(text: string): string | null {
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}/`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : null;
}

function describeRequest({ isPublic, method, path, headers, body }: FuzzRequest): string {
  const { authorization, ...others } = headers;
  const shown = { ...others, ...(authorization && { authorization: `${authorization.slice(0, 20)}…` }) };
  const text = JSON.stringify([isPublic ? 'public' : 'operator', method, path, shown, body?.toString()]);
  return `  ${text.slice(0, 2_000)}`;
}

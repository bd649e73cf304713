import { AssertionError } from 'node:assert';
import { PublishedDocument } from 'app-registry-testkit/http/published-document';
import { Answer } from 'app-registry-testkit/http/response';
import type { DeveloperApp } from '../../packages/server/src/contract/app.ts';
import type { SeededRandom } from '../../scripts/seeded-random.ts';
import { BrokenPromise, promise } from '../frame/torture.ts';
import { RawConnection } from '../raw-http/raw-connection.ts';
import { rawRequest } from '../raw-http/raw-request.ts';
import { type FuzzRequest, fuzzRequest } from './fuzz-request.ts';
import { documents, type KnownIds, operations } from './operations.ts';
import { KeptApp } from './stored-app.ts';

const published = {
  public: new PublishedDocument(documents.public),
  operator: new PublishedDocument(documents.operator),
};
const idsMax = 40;

export interface AskerParts {
  random: SeededRandom;
  ports: { public: number; operator: number };
  tokens: { developer: string; platform: string; operator: string };
  /** Apps of a developer whom nobody else asks for. */
  apps: DeveloperApp[];
  /** What operators may change, delete and erase. */
  sandbox: KnownIds;
}

/** Asks one thing after another, and holds each answer against what was asked. */
export class Asker {
  /** The requests whose changes were asked for, and the objects that their answers show. */
  readonly accepted = new Set<string>();
  readonly shown = new Set<string>();
  readonly statuses: Record<number, number> = {};
  readonly #parts: AskerParts;
  readonly #apps: Map<string, KeptApp>;
  readonly #connections: { public: RawConnection; operator: RawConnection };

  constructor(parts: AskerParts) {
    this.#parts = parts;
    this.#apps = new Map(parts.apps.map((app) => [app.id, new KeptApp(app)]));
    this.#connections = {
      public: new RawConnection(parts.ports.public),
      operator: new RawConnection(parts.ports.operator),
    };
  }

  /** Throws `BrokenPromise` when an answer is not one that the request may get. */
  async askOne(): Promise<void> {
    const request = this.#request();
    const answer = await this.#send(request);
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
    try {
      this.#judge(request, answer);
    } catch (error) {
      if (!(error instanceof BrokenPromise || error instanceof AssertionError)) throw error;
      throw new BrokenPromise(
        `${error.message}\n${tellRequest(request)}\n  -> ${answer.status} ${answer.text.slice(0, 500)}`,
      );
    }
  }

  /** Throws when one of its own apps is not what it was left as, for its developer or for the platform. */
  async assertApps(): Promise<void> {
    const { tokens } = this.#parts;
    for (const [id, app] of this.#apps) {
      const body = Buffer.from('{}');
      const read = await this.#send({ ...this.#plain('PATCH', `/developer/apps/v1/${id}`, tokens.developer), body });
      const view = JSON.parse(read.text) as DeveloperApp;
      app.assertIs(view);
      const shown = await this.#send(this.#plain('GET', `/platform/apps/v1/${id}`, tokens.platform));
      promise(JSON.parse(shown.text).name === view.name, `the platform reads another name of ${id}`);
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
      // Drawing an image takes long.
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

  async #send(request: FuzzRequest): Promise<Answer> {
    const connection = request.isPublic ? this.#connections.public : this.#connections.operator;
    try {
      const answer = await connection.ask(rawRequest(request), { isHead: request.method === 'HEAD' });
      const isText = answer.headers['content-encoding'] === undefined;
      return new Answer(answer.status, answer.headers, isText ? answer.body.toString() : '');
    } catch (error) {
      throw new BrokenPromise(`${error} \n${tellRequest(request)}`);
    }
  }

  #judge(request: FuzzRequest, answer: Answer): void {
    const { isPublic, method, path, mustBeInvalidJson } = request;
    promise(answer.status < 500, `a ${answer.status}`);
    const isCoded = answer.headers['content-encoding'] !== undefined;
    // The router ends a path where a fragment would begin, which a target never has.
    const [target = ''] = path.split('#');
    if (!isCoded) (isPublic ? published.public : published.operator).assertKept({ method, path: target }, answer);
    if (mustBeInvalidJson) promise(answer.refusal === '400 invalid_json', 'not 400 invalid_json');
    const isChange = !['GET', 'HEAD', 'OPTIONS'].includes(method);
    if (answer.status >= 300 || !isChange || answer.text === '') return;
    this.accepted.add(answer.headers['x-request-id'] ?? '');
    const body =
      request.body && !request.headers['content-type']?.startsWith('multipart') && JSON.parse(request.body.toString());
    if (isPublic) this.#acceptUpdate(body, answer as Answer<DeveloperApp>);
    else this.#acceptChange(body ?? {}, JSON.parse(answer.text));
  }

  #acceptUpdate(body: unknown, answer: Answer<DeveloperApp>): void {
    const view = JSON.parse(answer.text) as DeveloperApp;
    const app = this.#apps.get(view.id);
    promise(app, 'the update of an app that is not the developer’s');
    app.accept(body, view);
  }

  #acceptChange(body: object, view: Record<string, unknown>): void {
    assertReturned(body, view);
    for (const id of [view.id, view.userId]) if (typeof id === 'string') this.#know(id);
  }

  #know(id: string): void {
    const { sandbox, random } = this.#parts;
    this.shown.add(id);
    const prefix = id.slice(0, id.lastIndexOf('_'));
    const known = sandbox[prefix] ?? [];
    sandbox[prefix] = known;
    if (known.length < idsMax) known.push(id);
    else known[random.between(0, idsMax - 1)] = id;
  }
}

/** Every text that was accepted is in the answer as it was sent. Ids may be told in their other form. */
function assertReturned(body: object, view: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(body)) {
    const returned = view[name];
    if (typeof value === 'string' && typeof returned === 'string' && !name.endsWith('Id')) {
      promise(
        value === returned,
        `${name} was sent as ${JSON.stringify(value)} and returned as ${JSON.stringify(returned)}`,
      );
    } else if (typeof value === 'object' && value !== null && typeof returned === 'object' && returned !== null) {
      assertReturned(value, returned as Record<string, unknown>);
    }
  }
}

function tellRequest({ isPublic, method, path, headers, body }: FuzzRequest): string {
  const { authorization, ...others } = headers;
  const told = { ...others, ...(authorization && { authorization: `${authorization.slice(0, 20)}…` }) };
  const text = JSON.stringify([isPublic ? 'public' : 'operator', method, path, told, body?.toString()]);
  return `  ${text.slice(0, 2_000)}`;
}

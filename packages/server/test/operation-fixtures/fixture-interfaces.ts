import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { claimApp } from '@appregistrar/testkit/calls/review';
import type { Engine } from '@appregistrar/testkit/engines/engines';
import { encodeForm } from '@appregistrar/testkit/http/form';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { CommandLine, jsonOf, type Refusal, refusalOf, runHere } from '@appregistrar/testkit/programs/command-line';
import { eventsDuring } from '@appregistrar/testkit/registry/recorded';
import type { FastifyInstance } from 'fastify';
import type { InjectOptions, Response as LightMyRequestResponse } from 'light-my-request';
import { readConfig } from '../../src/config/config.ts';
import type { AccessTokenWithSecret } from '../../src/features/access/access-token.ts';
import { findApp } from '../../src/features/apps/app-queries.ts';
import { findRevision, readHistory } from '../../src/features/apps/revisions/revision-history.ts';
import { type OperatorOperationId, operatorOperations } from '../../src/features/operations.ts';
import { findSettings } from '../../src/features/settings/setting-queries.ts';
import { openRegistry } from '../../src/features/settings/settings.ts';
import type { Registry } from '../../src/kernel/registry.ts';
import { newRevisionNonce, revisionETag } from '../../src/kernel/revision.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { listCommands, nameOf } from '../cli/list-commands.ts';
import { inject } from '../http/inject.ts';
import { operatorListener } from '../http/operator-listener.ts';
import { archiveFirstEvents } from '../registry/archive-first-events.ts';
import { commandOf, decidesOnRevision } from './fixture-command.ts';
import { allObjects, ids } from './fixture-objects.ts';
import { IdNames, localReason } from './id-names.ts';
import type { OperationCase, OperationRequest } from './operation-fixture.ts';

/** What a request returns, or the code, title, detail and validation errors of its refusal. */
type Result =
  | { response: object; isReplayed?: boolean }
  | { refusal: Pick<Refusal, 'code' | 'title' | 'detail' | 'errors'> };

/** What came of a request and the events of its changes, with names in place of ids so that it can be compared. */
interface Outcome {
  /** The code of the refusal, if it was refused. */
  refused: string | undefined;
  result: unknown;
  events: unknown;
}

/** A registry with the objects of all fixtures, and the operator API to it. */
export class HttpInterface {
  readonly registry: Registry;
  readonly names: IdNames;
  protected readonly cli: CommandLine;
  protected readonly listener: FastifyInstance;
  /** Of an operator with the scope `admin`. */
  protected readonly token: AccessTokenWithSecret;
  #request: InjectOptions = {};

  static async open(engine: Engine): Promise<HttpInterface> {
    return new HttpInterface(await openRegistryOfFixtures(engine));
  }

  protected constructor({ registry, names, cli, token }: OpenRegistry) {
    this.registry = registry;
    this.names = names;
    this.cli = cli;
    this.token = token;
    this.listener = operatorListener(registry);
  }

  /** The result of a request, and the events of its changes: they say who made them. */
  async outcomeOf(one: OperationCase): Promise<Outcome> {
    let result: Result | undefined;
    const events = await eventsDuring(this.registry, async () => {
      result = await this.send(one);
    });
    for (const event of events) this.assertSource(one, event);
    const refused = result && 'refusal' in result ? result.refusal.code : undefined;
    return { refused, result: this.names.replaceIds(result), events: this.names.replaceIds(events) };
  }

  protected send(one: OperationCase): Promise<Result> {
    return this.request(one);
  }

  protected assertSource(_: OperationCase, { actor }: { actor: string; reason: string | null }): void {
    assert.equal(actor, this.token.id);
  }

  /** Sends a request to the operator API, by every interface. `names` knows the ids in its result afterwards. */
  async request(one: OperationCase): Promise<Result> {
    this.#request = await this.#requestOf(one);
    const result = await this.repeat();
    this.names.replaceIds(result);
    return result;
  }

  /** The response to a request with other header fields. */
  async exchange(one: OperationCase, headers: Record<string, string>): Promise<LightMyRequestResponse> {
    const request = await this.#requestOf(one);
    return inject(this.listener, { ...request, headers: { ...request.headers, ...headers } });
  }

  /** The response to a GET of a path. */
  get(url: string): Promise<LightMyRequestResponse> {
    return inject(this.listener, { url, headers: bearer(this.token.token) });
  }

  async #requestOf({ operationId, request }: OperationCase): Promise<InjectOptions> {
    const { method, path } = operatorOperations[operationId];
    return { method, url: this.#urlOf(path, request), ...(await this.#contentOf(operationId, request)) };
  }

  /** Makes a request that prepares others. */
  async prepare(one: OperationCase): Promise<void> {
    const result = await this.request(one);
    assert.ok('response' in result, JSON.stringify([one, result]));
  }

  /** Sends the last request again, exactly as it was. */
  async repeat(): Promise<Result> {
    const { statusCode, body, headers } = await inject(this.listener, this.#request);
    const isReplayed = headers['idempotency-replayed'] === 'true';
    if (statusCode < 300) return { response: JSON.parse(body), ...(isReplayed && { isReplayed }) };
    const problem = JSON.parse(body);
    assert.equal(problem.status, statusCode);
    return refusalIn(problem);
  }

  #urlOf(path: string, { id = '', item = '', query = {} }: OperationRequest): string {
    const values = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, this.names.replaceNames(`${one}`)]),
    );
    const [first, second] = [id, item].map((value) => encodeURIComponent(this.names.replaceNames(value)));
    return `${path.replace(/:\w+/, `${first}`).replace(/:\w+/, `${second}`)}?${new URLSearchParams(values)}`;
  }

  async #contentOf(operationId: OperatorOperationId, request: OperationRequest) {
    const { id, form, revision, idempotencyKey } = request;
    const tag = revision === undefined ? undefined : await this.#tagOf(revision, id);
    const isInBody = tag !== undefined && decidesOnRevision(operationId);
    const body = isInBody ? { revision: tag, ...request.body } : request.body;
    const headers = {
      ...bearer(this.token.token),
      ...(tag !== undefined && !isInBody && { 'if-match': tag }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    if (form) {
      const encoded = await encodeForm({ developerId: form.developerId, image: await readFile(form.image) });
      return { headers: { ...headers, ...encoded.headers }, payload: encoded.body };
    }
    if (!body) return { headers };
    return {
      headers: { ...headers, 'content-type': 'application/json' },
      payload: this.names.replaceNames(JSON.stringify(body)),
    };
  }

  /** The ETag of a revision of an app, or of the settings. */
  async #tagOf(revision: number, appId?: string): Promise<string> {
    const { reader } = this.registry.storage;
    const row = await (appId === undefined ? findSettings(reader, {}) : findApp(reader, { id: appId }));
    const revisionNonce = row?.revision === revision ? row.revision_nonce : await this.#earlierNonce(revision, appId);
    return revisionETag(this.registry, { revision, revision_nonce: revisionNonce });
  }

  /** A new one when there is no such revision, or none that is known. */
  async #earlierNonce(name: number, appId = ''): Promise<string> {
    const { registry } = this;
    const found = readHistory(registry, appId, (snapshot, app) => findRevision(registry, snapshot, { app, name }));
    return found.then(
      ({ revisionNonce }) => revisionNonce ?? newRevisionNonce(),
      () => newRevisionNonce(),
    );
  }

  async close(): Promise<void> {
    await this.listener.close();
    await this.registry.storage.close();
    await this.cli.close();
  }
}

/** The command line on the database. Says who makes each change, and why unless the request does. */
export class LocalInterface extends HttpInterface {
  readonly #changing: Set<string>;

  static override async open(engine: Engine): Promise<LocalInterface> {
    const taking = (await listCommands()).filter(({ options }) => options.some(({ long }) => long === '--reason'));
    return new LocalInterface(await openRegistryOfFixtures(engine), new Set(taking.map(nameOf)));
  }

  private constructor(opened: OpenRegistry, changing: Set<string>) {
    super(opened);
    this.#changing = changing;
  }

  protected override async send(one: OperationCase): Promise<Result> {
    const command = commandOf(one).map((text) => this.names.replaceNames(text));
    const why = command.includes('--reason') ? [] : ['--reason', reasonOf(one)];
    const change = this.#changing.has(command.slice(0, 2).join(' ')) ? ['--actor', 'fixture', ...why] : [];
    const result = await this.cli.run(...command, ...change, '--json');
    if (result.status === 0) return { response: jsonOf(result) };
    return refusalIn(refusalOf(result));
  }

  /** By a command if it is a claim, which only its actor can release. */
  override async prepare(one: OperationCase): Promise<void> {
    await (one.operationId === 'claimApp' ? this.send(one) : super.prepare(one));
  }

  protected override assertSource(
    one: OperationCase,
    { actor, reason }: { actor: string; reason: string | null },
  ): void {
    assert.deepEqual([actor, reason], ['command-line:fixture', reasonOf(one)]);
  }
}

/** The command line with `--url`, on a server that listens. */
export class RemoteInterface extends HttpInterface {
  #url = '';

  static override async open(engine: Engine): Promise<RemoteInterface> {
    const opened = new RemoteInterface(await openRegistryOfFixtures(engine));
    opened.#url = await opened.listener.listen({ host: '127.0.0.1', port: 0 });
    process.env.APP_REGISTRY_TOKEN = opened.token.token;
    return opened;
  }

  protected override async send(one: OperationCase): Promise<Result> {
    const command = commandOf(one).map((text) => this.names.replaceNames(text));
    // In front: a command may have a --url of its own.
    const result = await runHere('--url', this.#url, ...command, '--json');
    if (result.status === 0) return { response: jsonOf(result) };
    assert.deepEqual([result.status, result.stdout], [1, ''], result.stderr);
    return refusalIn(JSON.parse(result.stderr));
  }

  override async close(): Promise<void> {
    delete process.env.APP_REGISTRY_TOKEN;
    await super.close();
  }
}

interface OpenRegistry {
  registry: Registry;
  names: IdNames;
  cli: CommandLine;
  token: AccessTokenWithSecret;
}

async function openRegistryOfFixtures(engine: Engine): Promise<OpenRegistry> {
  const { file, knownIds } = allObjects();
  const cli = await CommandLine.open(engine);
  await cli.done('import', file, '--actor', 'seed');
  await cli.done('developer', 'suspend', ids.hostile, '--reason', 'Spam.', '--actor', 'seed');
  const token = await cli.done<AccessTokenWithSecret>('token', 'create', '--kind', 'operator', '--scope', 'admin');
  const registry = await openRegistry(await openStorage(cli.databaseUrl), readConfig({}));
  for (const id of [ids.archived, ids.archivedChange]) await archiveFirstEvents(registry, id, 1);
  const reviewer = { actor: 'command-line:seed', requestId: null };
  for (const appId of [ids.claimed, ids.claimedByOther]) await claimApp(registry, reviewer, { appId, claim: {} });
  return { registry, names: new IdNames(knownIds), cli, token };
}

/** Events of these have their message as the reason, unless a command gives another. */
const refusingSteps = new Set(['rejectApp', 'rejectAppChange', 'revokeApp']);

/** The reason of a change on the command line. */
function reasonOf({ operationId, request: { body: { reason, message } = {} } }: OperationCase): string {
  const ofStep = refusingSteps.has(operationId) && String(message ?? '').trim();
  return `${reason ?? (ofStep || localReason)}`;
}

function refusalIn({ code, title, detail, errors }: Refusal): Result {
  return { refusal: { code, title, detail, ...(errors && { errors }) } };
}

import type { Command } from 'commander';
import { AppRegistryError, type ReceivedResponse } from '../../../../client/src/index.ts';
import { OperatorClient } from '../../../../client/src/operator/index.ts';
import type { AnyOperation, OperatorOperation } from '../../kernel/operation.ts';
import type { RevisionName } from '../../kernel/revision.ts';
import type { ChangeOptions } from '../command-options.ts';
import { type AnyParts, operationNamed, type RunOperation } from '../run-operation.ts';
import { asRemoteFailure } from './remote-failure.ts';
import type { RemoteTarget } from './remote-target.ts';
import { credentialFor, NoToken, type StoredSignIn, storeCredential, storedCredential } from './token-store.ts';

const timeoutMs = 60_000;

/** Runs operations on a server, by requests with the client, which retries them. Its token says who makes the changes. */
export async function remoteOperations(command: Command, target: RemoteTarget): Promise<RunOperation> {
  const client = await clientFor(target);
  const run = async (named: AnyOperation | string, parts: AnyParts = {}): Promise<unknown> => {
    const operation = await operationNamed(named);
    if (operation.method !== 'GET') requireOwnOptions(command, parts);
    try {
      return await send(client, operation, parts);
    } catch (error) {
      throw asRemoteFailure(error, { url: target.url, isRead: operation.method === 'GET' });
    }
  };
  return run as RunOperation;
}

async function clientFor(target: RemoteTarget): Promise<OperatorClient> {
  const credential = await credentialFor(target);
  if (typeof credential === 'string') return new OperatorClient({ baseUrl: target.url, token: credential });
  const { token, onResponse } = new RenewedToken(target, credential);
  return new OperatorClient({ baseUrl: target.url, token, onResponse });
}

async function send(
  client: OperatorClient,
  { method, path, form, ifMatch }: OperatorOperation,
  { params = {}, query, body, ifRevision, signal }: AnyParts,
): Promise<unknown> {
  const tag =
    ifMatch && ifRevision !== undefined ? await tagOf(client, ifRevision, { path, id: params.id }) : undefined;
  return client.request(method, pathOf(path, params), {
    query,
    body: form ? formOf(body as Record<string, string | Uint8Array<ArrayBuffer>>) : body,
    ifMatch: tag,
    timeoutMs,
    signal,
  });
}

function pathOf(path: string, params: Record<string, string>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => segment(params[name] ?? ''));
}

/** An id as a segment of a path. One that would change the path is one that no object has. */
function segment(id: string): string {
  return /^\.*$/.test(id) ? '-' : encodeURIComponent(id);
}

function formOf(parts: Record<string, string | Uint8Array<ArrayBuffer>>): FormData {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) form.set(name, typeof part === 'string' ? part : new Blob([part]));
  return form;
}

/** What a change records beside itself is of the token, and of the operations that take a reason. */
function requireOwnOptions(command: Command, { body }: AnyParts): void {
  const { actor, reason } = command.optsWithGlobals<ChangeOptions>();
  if (actor !== undefined)
    command.error('error: --actor cannot be used with a server: the token identifies who makes the change');
  if (reason === undefined || Object.values(Object(body)).includes(reason)) return;
  command.error('error: a server accepts no --reason for this change: remove it');
}

/** The access token of a sign-in. It is renewed once the server refuses it: no clock decides when. */
export class RenewedToken {
  readonly #target: RemoteTarget;
  #signIn: StoredSignIn;
  #isRefused = false;

  constructor(target: RemoteTarget, signIn: StoredSignIn) {
    this.#target = target;
    this.#signIn = signIn;
  }

  /** Gets each response of the server. */
  readonly onResponse = ({ response }: ReceivedResponse): void => {
    this.#isRefused = response.status === 401;
  };

  /** The token of the next request. Throws `NoToken` if the sign-in has ended. */
  readonly token = async (): Promise<string> => {
    if (this.#isRefused) this.#signIn = await this.#renewed();
    this.#isRefused = false;
    return this.#signIn.accessToken;
  };

  async #renewed(): Promise<StoredSignIn> {
    const stored = await this.#storedByAnother();
    if (stored) return stored;
    const { renew } = await import('./device-sign-in.ts');
    const renewed = await renew(this.#signIn);
    if (renewed) {
      await storeCredential(this.#target, renewed);
      return renewed;
    }
    // A provider that takes each refresh token once has given the next one to a command that ran beside this one.
    const next = await this.#storedByAnother();
    if (next) return next;
    const { url } = this.#target;
    throw new NoToken(`The sign-in for ${url} has ended. Run "app-registry login --device --url ${url}" again.`);
  }

  async #storedByAnother(): Promise<StoredSignIn | null> {
    const stored = await storedCredential(this.#target);
    return typeof stored === 'object' && stored.accessToken !== this.#signIn.accessToken ? stored : null;
  }
}

/** The `ETag` that is given, or that of a revision of an app or of the settings. A number that has none matches nothing. */
async function tagOf(
  client: OperatorClient,
  name: RevisionName,
  { path, id = '' }: { path: string; id: string | undefined },
): Promise<string> {
  if (typeof name === 'string') return `"${name}"`;
  const [, , , collection] = path.split('/');
  const read = { settings: () => settingsTag(client, name), apps: () => appTag(client, name, id) }[collection ?? ''];
  return (await read?.()) ?? `"${name}"`;
}

async function settingsTag(client: OperatorClient, revision: number): Promise<string | undefined> {
  const settings = await client.settings.get();
  return settings.revision === revision ? settings.etag : undefined;
}

/** An error of this read is one that the change reports too. */
async function appTag(client: OperatorClient, revision: number, appId: string): Promise<string | undefined> {
  try {
    return (await client.apps.getRevision(appId, revision)).etag;
  } catch (error) {
    if (AppRegistryError.is(error) && error.problem) return undefined;
    throw error;
  }
}

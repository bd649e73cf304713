import type { Command } from 'commander';
import { OperatorClient } from '../../../../client/src/operator/index.ts';
import type { AnyOperation, OperatorOperation } from '../../kernel/operation.ts';
import type { ChangeOptions } from '../change-options.ts';
import { type AnyParts, operationNamed, type RunOperation } from '../operation/run-operation.ts';
import { asRemoteFailure } from './remote-failure.ts';
import { RenewedToken } from './renewed-token.ts';
import { revisionTag } from './revision-tag.ts';
import type { RemoteTarget } from './target.ts';
import { credentialFor } from './token-store.ts';

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
  const tag = ifMatch && ifRevision !== undefined ? await revisionTag(client, ifRevision, params.id) : undefined;
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

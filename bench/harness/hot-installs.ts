import { apiRequest, type HttpRequest } from '@appregistrar/testkit/http/http-request';
import { idOf } from '../fill-registry.ts';
import { bytesOf, type LoadRequest } from '../load/load.ts';
import type { Database } from './databases.ts';

/** The app with a tenth of all installations. */
export const hotId = idOf('app', 0);
let workspaces = 0;

export function nextInstall(database: Database, port: number): () => LoadRequest {
  return () => ({
    bytes: bytesOf(installRequest(database, port)),
    onResponse: ({ status, body }) => {
      if (status !== 201) throw new Error(`an install received ${status}: ${body}`);
    },
  });
}

/** Installs the hot app in a new workspace. */
export function installRequest({ tokens, size }: Database, port: number): HttpRequest {
  const workspaceId = idOf('workspace', size.installations * 10 + workspaces++);
  const body = { appId: hotId, workspaceId, userId: idOf('user', 1) };
  // The operator listener accepts only its own host.
  const headers = { host: `127.0.0.1:${port}` };
  return apiRequest(tokens.operator, { method: 'POST', path: '/operator/v1/installations', body, headers });
}

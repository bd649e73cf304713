import { isDeepStrictEqual } from 'node:util';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import type { OperatorApp, PlatformApp } from '../../packages/server/src/features/apps/app-schemas.ts';
import { guarantee } from '../harness/fault-injection.ts';
import { isDecision } from './app-review.ts';
import { type AuthorizedRequest, type Connections, refusalIn, type Tokens } from './connections.ts';
import { updateOf } from './content.ts';
import type { AppRequest, AppResponse, Operation } from './operations.ts';

/** An app, its developer, and another user who installs it. */
export interface TestedApp {
  id: string;
  owner: string;
  /** The token of its developer. */
  token: string;
  otherUser: string;
}

const seenMax = 6;

/** Sends requests about one app to all processes, and records its history. */
export class AppClient {
  readonly history: Operation[] = [];
  readonly app: TestedApp;
  readonly #connections: Connections;
  readonly #tokens: Tokens;
  /** The view of each ETag of Get App, which never changes. */
  readonly #views = new Map<string, PlatformApp>();
  #latestTag: string | undefined;
  /** The ETags of the content by their numbers. */
  readonly #tags = new Map<number, string>();

  constructor(app: TestedApp, { connections, tokens }: { connections: Connections; tokens: Tokens }) {
    this.app = app;
    this.#connections = connections;
    this.#tokens = tokens;
  }

  get processes(): number {
    return this.#connections.processes;
  }

  /** The last revisions that responses have shown, of which an `If-Match` can name any. */
  seenRevisions(): number[] {
    return [...this.#tags.keys()].slice(-seenMax);
  }

  /** `isConditional`: whether Get App sends the latest known ETag. */
  async send(
    request: AppRequest,
    { process, isConditional = false }: { process: number; isConditional?: boolean },
  ): Promise<AppResponse> {
    const tag = isConditional ? this.#latestTag : undefined;
    const sent = this.#request(request, tag);
    const begin = performance.now();
    const received = await this.#connections.send(sent, process);
    const end = performance.now();
    const response = this.#response(request, received, tag);
    this.history.push({ request, response, process, begin, end });
    return response;
  }

  #request(request: AppRequest, tag: string | undefined): AuthorizedRequest {
    const { platform, operator } = this.#tokens;
    const { id, token } = this.app;
    const toApp = { method: 'POST', path: `/operator/v1/apps/${id}`, token: operator, isPublic: false };
    switch (request.kind) {
      case 'update':
      case 'read': {
        const body = request.kind === 'read' ? {} : updateOf(request.given);
        const update = { method: 'PATCH', path: `/developer/apps/v1/${id}`, token, isPublic: true, body };
        return { ...update, headers: this.#ifMatch(request.kind === 'read' ? {} : request) };
      }
      case 'get': {
        const headers: Record<string, string> = tag === undefined ? {} : { 'if-none-match': tag };
        return { method: 'GET', path: `/platform/apps/v1/${id}`, token: platform, isPublic: true, headers };
      }
      case 'show':
        return { ...toApp, method: 'GET' };
      case 'revert':
        return { ...toApp, path: `${toApp.path}/revert`, headers: this.#ifMatch(request), body: request.to };
      case 'review':
        return {
          ...toApp,
          path: `${toApp.path}/${request.step}`,
          ...(isDecision(request) ? {} : { headers: this.#ifMatch(request) }),
          ...details(request, this.#tags.get(request.ifRevision ?? 0)),
        };
      default:
        return { ...toApp, ...this.#installationRequest(request) };
    }
  }

  #installationRequest(request: Extract<AppRequest, { kind: 'install' | 'remove' | 'enable' | 'disable' }>) {
    const path = '/operator/v1/installations';
    if (request.kind === 'install') {
      const { id: appId, owner, otherUser } = this.app;
      const { workspaceId, byOwner } = request;
      return { path, body: { appId, workspaceId, userId: byOwner ? owner : otherUser } };
    }
    const one = `${path}/${request.installationId}`;
    return request.kind === 'remove' ? { method: 'DELETE', path: one } : { path: `${one}/${request.kind}` };
  }

  #ifMatch({ ifRevision }: { ifRevision?: number }): Record<string, string> {
    return ifRevision === undefined ? {} : { 'if-match': this.#tags.get(ifRevision) as string };
  }

  #response(request: AppRequest, { status, headers, text }: HttpResponse, tag: string | undefined): AppResponse {
    if (status === 304)
      return { platformApp: this.#views.get(tag as string) as PlatformApp, platformTag: tag as string };
    const view = JSON.parse(text);
    if (status >= 400) return { refusal: refusalIn({ status, text }, request) };
    if (request.kind === 'get') return this.#shown(headers.etag as string, view);
    const { kind } = request;
    if (kind === 'update' || kind === 'read') return { revision: this.#revisionOf(headers.etag), developerApp: view };
    if (kind === 'show' || kind === 'review' || kind === 'revert') return this.#operatorApp(headers.etag, view);
    // The model does not know what only the operator API shows of a resource.
    const { updatedAt: _, etag: __, ...installation } = view;
    return { installation };
  }

  #operatorApp(tag: string | undefined, operatorApp: OperatorApp): AppResponse {
    for (const shown of [operatorApp, operatorApp.approved ?? operatorApp]) {
      guarantee(this.#revisionOf(shown.etag) === shown.revision, () => `not its ETag: ${JSON.stringify(shown)}`);
    }
    return { revision: this.#revisionOf(tag), operatorApp };
  }

  /** A revision has one ETag. */
  #revisionOf(tag = ''): number {
    const revision = Number.parseInt(tag.slice(1), 10);
    const known = this.#tags.get(revision) ?? tag;
    guarantee(known === tag, `revision ${revision} has two ETags: ${known} and ${tag}`);
    this.#tags.set(revision, tag);
    return revision;
  }

  #shown(tag: string, view: PlatformApp): AppResponse {
    this.#latestTag = tag;
    const known = this.#views.get(tag) ?? view;
    this.#views.set(tag, known);
    guarantee(
      isDeepStrictEqual(known, view),
      () => `two views under the ETag ${tag}: ${JSON.stringify([known, view])}`,
    );
    guarantee(isInOrder(view.installations), () => `a list out of order: ${JSON.stringify(view.installations)}`);
    // One object for each view, so that its digest is computed once.
    return { platformApp: known, platformTag: tag };
  }
}

type ReviewRequest = Extract<AppRequest, { kind: 'review' }>;

/** A decision names its revision in the body. */
function details(request: ReviewRequest, revision: string | undefined): { body?: object } {
  const { step, reason, disables } = request;
  const body = {
    ...(isDecision(request) && { revision }),
    ...(reason !== undefined && { message: reason }),
    ...(step === 'revoke' && { disableInstallations: disables === true }),
  };
  return Object.keys(body).length > 0 ? { body } : {};
}

/** Installations are ordered by creation, then by id. */
function isInOrder(installations: { createdAt: string; id: string }[]): boolean {
  const keys = installations.map(({ createdAt, id }) => createdAt + id);
  return keys.every((key, at) => at === 0 || (keys[at - 1] as string) < key);
}

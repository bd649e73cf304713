import { isDeepStrictEqual } from 'node:util';
import { type ApiRequest, apiRequest, requestBytes } from 'app-registry-testkit/http/http-request';
import type { HttpResponse } from 'app-registry-testkit/http/http-response';
import { RawConnection } from 'app-registry-testkit/http/raw-connection';
import { BrokenPromise, promise } from '../frame/torture.ts';
import type { AppRequest, AppResponse, Operation } from './app-model.ts';

/** The ports of one process of the service. */
export interface Ports {
  public: number;
  operator: number;
}

export interface Tokens {
  developer: string;
  platform: string;
  operator: string;
}

/** An app, its developer, and another user who installs it. */
export interface TestedApp {
  id: string;
  owner: string;
  otherUser: string;
}

interface AuthorizedRequest extends ApiRequest {
  token: string;
  isPublic: boolean;
}

/** Sends requests about one app to all processes, and records its history. */
export class AppClient {
  readonly history: Operation[] = [];
  readonly app: TestedApp;
  readonly #ports: Ports[];
  readonly #tokens: Tokens;
  readonly #idle = new Map<number, RawConnection[]>();
  /** The view of each ETag of Get App, which never changes. */
  readonly #views = new Map<string, AppResponse['platformApp']>();
  #latestTag: string | undefined;
  /** The ETags of the content by their numbers. */
  readonly #tags = new Map<number, string>();

  constructor(app: TestedApp, ports: Ports[], tokens: Tokens) {
    this.app = app;
    this.#ports = ports;
    this.#tokens = tokens;
  }

  get processes(): number {
    return this.#ports.length;
  }

  /** `isConditional`: whether Get App sends the latest known ETag. */
  async send(
    request: AppRequest,
    { process, isConditional = false }: { process: number; isConditional?: boolean },
  ): Promise<AppResponse> {
    const tag = isConditional ? this.#latestTag : undefined;
    const sent = this.#request(request, tag);
    const begin = performance.now();
    const received = await this.#send(sent, process);
    const end = performance.now();
    const response = this.#response(request, received, tag);
    this.history.push({ request, response, process, begin, end });
    return response;
  }

  close(): void {
    for (const connection of [...this.#idle.values()].flat()) connection.close();
  }

  async #send({ token, isPublic, ...request }: AuthorizedRequest, process: number): Promise<HttpResponse> {
    const ports = this.#ports[process] as Ports;
    const port = isPublic ? ports.public : ports.operator;
    const idle = this.#idleOf(port);
    const connection = idle.pop() ?? new RawConnection(port);
    try {
      const headers = { host: `127.0.0.1:${port}`, ...request.headers };
      return await connection.send(requestBytes(apiRequest(token, { ...request, headers })));
    } catch (error) {
      throw new BrokenPromise(`process ${process} did not respond to ${request.method} ${request.path}: ${error}`);
    } finally {
      idle.push(connection);
    }
  }

  #idleOf(port: number): RawConnection[] {
    const idle = this.#idle.get(port) ?? [];
    this.#idle.set(port, idle);
    return idle;
  }

  #request(request: AppRequest, tag: string | undefined): AuthorizedRequest {
    const { developer, platform, operator } = this.#tokens;
    const { id } = this.app;
    const toApp = { method: 'POST', path: `/operator/v1/apps/${id}`, token: operator, isPublic: false };
    switch (request.kind) {
      case 'update':
      case 'read': {
        const body = request.kind === 'read' ? {} : toBody(request.given);
        const update = { method: 'PATCH', path: `/developer/apps/v1/${id}`, token: developer, isPublic: true, body };
        return { ...update, headers: this.#ifMatch(request.kind === 'read' ? {} : request) };
      }
      case 'get': {
        const headers: Record<string, string> = tag === undefined ? {} : { 'if-none-match': tag };
        return { method: 'GET', path: `/platform/apps/v1/${id}`, token: platform, isPublic: true, headers };
      }
      case 'show':
        return { ...toApp, method: 'GET' };
      case 'review':
        return {
          ...toApp,
          path: `${toApp.path}/${request.step}`,
          headers: this.#ifMatch(request),
          ...details(request),
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
    // A revision that was never seen is not the current one.
    return ifRevision === undefined ? {} : { 'if-match': this.#tags.get(ifRevision) ?? `"${ifRevision}"` };
  }

  #response(request: AppRequest, { status, headers, text }: HttpResponse, tag: string | undefined): AppResponse {
    if (status === 304)
      return { platformApp: this.#views.get(tag as string) as NonNullable<AppResponse['platformApp']> };
    const view = JSON.parse(text);
    if (status >= 400) {
      promise(status < 500 || status === 503, `a ${status} to ${JSON.stringify(request)}: ${text}`);
      return { refusal: view.code };
    }
    if (request.kind === 'get') return { platformApp: this.#viewOfTag(headers.etag as string, view) };
    const { kind } = request;
    if (kind === 'update' || kind === 'read') return { revision: this.#revisionOf(headers.etag), developerApp: view };
    if (kind === 'show' || kind === 'review') return { revision: this.#revisionOf(headers.etag), operatorApp: view };
    return { installation: view };
  }

  /** A revision has one ETag. */
  #revisionOf(tag = ''): number {
    const revision = Number.parseInt(tag.slice(1), 10);
    const known = this.#tags.get(revision) ?? tag;
    promise(known === tag, `revision ${revision} has two ETags: ${known} and ${tag}`);
    this.#tags.set(revision, tag);
    return revision;
  }

  #viewOfTag(tag: string, view: NonNullable<AppResponse['platformApp']>): NonNullable<AppResponse['platformApp']> {
    this.#latestTag = tag;
    const known = this.#views.get(tag) ?? view;
    this.#views.set(tag, known);
    promise(isDeepStrictEqual(known, view), () => `two views under the ETag ${tag}: ${JSON.stringify([known, view])}`);
    promise(isInOrder(view.installations), () => `a list out of order: ${JSON.stringify(view.installations)}`);
    // One object for each view, so that its digest is computed once.
    return known;
  }
}

function toBody({ name, shortDescription }: { name?: string; shortDescription?: string }): object {
  return { ...(name && { name }), ...(shortDescription && { listingInfo: { shortDescription } }) };
}

function details({ step, reason, disables }: Extract<AppRequest, { kind: 'review' }>): { body?: object } {
  if (reason === undefined) return {};
  return { body: { reason, ...(step === 'revoke' && { disableInstallations: disables === true }) } };
}

/** Installations are ordered by creation, then by id (decision 14). */
function isInOrder(installations: { createdAt: string; id: string }[]): boolean {
  const keys = installations.map(({ createdAt, id }) => createdAt + id);
  return keys.every((key, at) => at === 0 || (keys[at - 1] as string) < key);
}

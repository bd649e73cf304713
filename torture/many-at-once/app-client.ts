import { isDeepStrictEqual } from 'node:util';
import { BrokenPromise, promise } from '../frame/torture.ts';
import { RawConnection } from 'app-registry-testkit/http/raw-connection';
import { requestBytes } from 'app-registry-testkit/http/http-request';
import type { RawResponse } from '../raw-http/raw-responses.ts';
import type { Operation, Question, Told } from './app-model.ts';

/** Where one process of the service listens. */
export interface Ports {
  public: number;
  operator: number;
}

export interface Tokens {
  developer: string;
  platform: string;
  operator: string;
}

/** The app that is asked about, and who installs it: its developer, or somebody else. */
export interface AskedApp {
  id: string;
  owner: string;
  stranger: string;
}

interface Request {
  method: string;
  path: string;
  token: string;
  isPublic: boolean;
  headers?: Record<string, string>;
  body?: object;
}

/** Asks all processes about one app, and writes down what it is told and when. */
export class AppClient {
  readonly history: Operation[] = [];
  readonly app: AskedApp;
  readonly #ports: Ports[];
  readonly #tokens: Tokens;
  readonly #idle = new Map<number, RawConnection[]>();
  /** What a tag of the platform's view stands for: always the same. */
  readonly #views = new Map<string, Told['platformApp']>();
  #latestTag: string | undefined;
  #epoch = '';

  constructor(app: AskedApp, ports: Ports[], tokens: Tokens) {
    this.app = app;
    this.#ports = ports;
    this.#tokens = tokens;
  }

  get processes(): number {
    return this.#ports.length;
  }

  /** `knowsTag`: whether a get says what it knows already. */
  async ask(question: Question, { process, knowsTag = false }: { process: number; knowsTag?: boolean }): Promise<Told> {
    const known = knowsTag ? this.#latestTag : undefined;
    const request = this.#request(question, known);
    const begin = performance.now();
    const answer = await this.#send(request, process);
    const end = performance.now();
    const told = this.#told(question, answer, known);
    this.history.push({ question, told, process, begin, end });
    return told;
  }

  close(): void {
    for (const connection of [...this.#idle.values()].flat()) connection.close();
  }

  async #send(request: Request, process: number): Promise<RawResponse> {
    const ports = this.#ports[process] as Ports;
    const port = request.isPublic ? ports.public : ports.operator;
    const idle = this.#idleOf(port);
    const connection = idle.pop() ?? new RawConnection(port);
    try {
      const { method, path, token, headers, body } = request;
      const text = body && JSON.stringify(body);
      const fields = {
        host: `127.0.0.1:${port}`,
        authorization: `Bearer ${token}`,
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      };
      return await connection.ask(requestBytes({ method, path, headers: fields, body: text }));
    } catch (error) {
      throw new BrokenPromise(`no answer from the process ${process} to ${request.method} ${request.path}: ${error}`);
    } finally {
      idle.push(connection);
    }
  }

  #idleOf(port: number): RawConnection[] {
    const idle = this.#idle.get(port) ?? [];
    this.#idle.set(port, idle);
    return idle;
  }

  #request(question: Question, known: string | undefined): Request {
    const { developer, platform, operator } = this.#tokens;
    const { id } = this.app;
    const toApp = { method: 'POST', path: `/operator/v1/apps/${id}`, token: operator, isPublic: false };
    switch (question.kind) {
      case 'update':
      case 'read': {
        const body = question.kind === 'read' ? {} : toBody(question.given);
        const update = { method: 'PATCH', path: `/developer/apps/v1/${id}`, token: developer, isPublic: true, body };
        return { ...update, headers: this.#ifMatch(question.kind === 'read' ? {} : question) };
      }
      case 'get': {
        const headers: Record<string, string> = known === undefined ? {} : { 'if-none-match': known };
        return { method: 'GET', path: `/platform/apps/v1/${id}`, token: platform, isPublic: true, headers };
      }
      case 'show':
        return { ...toApp, method: 'GET' };
      case 'review':
        return {
          ...toApp,
          path: `${toApp.path}/${question.step}`,
          headers: this.#ifMatch(question),
          ...details(question),
        };
      default:
        return { ...toApp, ...this.#installationRequest(question) };
    }
  }

  #installationRequest(question: Extract<Question, { kind: 'install' | 'remove' | 'enable' | 'disable' }>) {
    const path = '/operator/v1/installations';
    if (question.kind === 'install') {
      const { id: appId, owner, stranger } = this.app;
      const { workspaceId, byOwner } = question;
      return { path, body: { appId, workspaceId, userId: byOwner ? owner : stranger } };
    }
    const one = `${path}/${question.installationId}`;
    return question.kind === 'remove' ? { method: 'DELETE', path: one } : { path: `${one}/${question.kind}` };
  }

  #ifMatch({ ifRevision }: { ifRevision?: number }): Record<string, string> {
    return ifRevision === undefined ? {} : { 'if-match': `"${ifRevision}.${this.#epoch}"` };
  }

  #told(question: Question, { status, headers, body }: RawResponse, known: string | undefined): Told {
    if (status === 304) return { platformApp: this.#views.get(known as string) as NonNullable<Told['platformApp']> };
    const view = JSON.parse(body.toString());
    if (status >= 400) {
      promise(status < 500 || status === 503, `a ${status} to ${JSON.stringify(question)}: ${body}`);
      return { refusal: view.code };
    }
    if (question.kind === 'get') return { platformApp: this.#sameUnderTag(headers.etag as string, view) };
    const [revision, epoch] = (headers.etag ?? '').slice(1, -1).split('.');
    if (epoch) this.#epoch = epoch;
    if (question.kind === 'update' || question.kind === 'read')
      return { revision: Number(revision), developerApp: view };
    if (question.kind === 'show' || question.kind === 'review')
      return { revision: Number(revision), operatorApp: view };
    return { installation: view };
  }

  #sameUnderTag(tag: string, view: NonNullable<Told['platformApp']>): NonNullable<Told['platformApp']> {
    this.#latestTag = tag;
    const known = this.#views.get(tag) ?? view;
    this.#views.set(tag, known);
    promise(isDeepStrictEqual(known, view), () => `two views under the ETag ${tag}: ${JSON.stringify([known, view])}`);
    promise(isInOrder(view.installations), () => `a list out of order: ${JSON.stringify(view.installations)}`);
    // One object for one view, so that its digest is made once.
    return known;
  }
}

function toBody({ name, shortDescription }: { name?: string; shortDescription?: string }): object {
  return { ...(name && { name }), ...(shortDescription && { listingInfo: { shortDescription } }) };
}

function details({ step, reason, disables }: Extract<Question, { kind: 'review' }>): { body?: object } {
  if (reason === undefined) return {};
  return { body: { reason, ...(step === 'revoke' && { disableInstallations: disables === true }) } };
}

/** Of creation, then of their ids (decision 14). */
function isInOrder(installations: { createdAt: string; id: string }[]): boolean {
  const places = installations.map(({ createdAt, id }) => createdAt + id);
  return places.every((place, at) => at === 0 || (places[at - 1] as string) < place);
}

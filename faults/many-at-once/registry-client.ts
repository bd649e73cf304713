import type { Event } from '../../packages/server/src/features/events/event.ts';
import type { EventPage } from '../../packages/server/src/features/events/event-query.ts';
import { guarantee } from '../harness/fault-injection.ts';
import { type AuthorizedRequest, type Connections, refusalIn, type Tokens } from './connections.ts';
import type { EffectiveChange } from './effective-events.ts';
import type { AppResponse, Operation, RegistryRequest } from './operations.ts';

/** Runs an `app-registry` command on the database, and returns what it prints. */
export type RunCommand = (...args: string[]) => Promise<string>;

interface ClientParts {
  connections: Connections;
  tokens: Tokens;
  command: RunCommand;
}

/** Sends requests about all apps, and records their history. */
export class RegistryClient {
  readonly history: Operation[] = [];
  readonly #connections: Connections;
  readonly #tokens: Tokens;
  readonly #command: RunCommand;

  constructor({ connections, tokens, command }: ClientParts) {
    this.#connections = connections;
    this.#tokens = tokens;
    this.#command = command;
  }

  /** What concerns the apps of a developer. */
  historyOf(developerId: string): Operation[] {
    return this.history.filter(({ request }) => !('developerId' in request) || request.developerId === developerId);
  }

  get processes(): number {
    return this.#connections.processes;
  }

  async send(request: RegistryRequest, { process }: { process: Operation['process'] }): Promise<AppResponse> {
    const begin = performance.now();
    const response = process === 'command' ? await this.#run(request) : await this.#send(request, process);
    this.history.push({ request, response, process, begin, end: performance.now() });
    return response;
  }

  /** What the events of an app say of its effective content, oldest first. */
  async effectiveChanges(appId: string): Promise<EffectiveChange[]> {
    const events: Event[] = [];
    let cursor = '';
    do {
      const path = `/operator/v1/events?appId=${appId}&effectiveOnly=true&limit=100${cursor && `&cursor=${cursor}`}`;
      const request = { path, token: this.#tokens.operator, isPublic: false };
      const { status, text } = await this.#connections.send(request, 0);
      guarantee(status === 200, `a ${status} to a list of events: ${text}`);
      const page: EventPage = JSON.parse(text);
      events.push(...page.items);
      cursor = page.nextCursor ?? '';
    } while (cursor !== '');
    return events.flatMap(({ data }) => ('effective' in data && data.effective !== undefined ? [data.effective] : []));
  }

  async #send(request: RegistryRequest, process: number): Promise<AppResponse> {
    const { status, text } = await this.#connections.send(this.#request(request), process);
    if (status >= 400) return { refusal: refusalIn({ status, text }, request) };
    return responseTo(request, text);
  }

  async #run(request: RegistryRequest): Promise<AppResponse> {
    if (request.kind !== 'switch') return modeIn(await this.#command('--json', 'settings', 'get'));
    const existing = request.existing === undefined ? [] : ['--existing', request.existing];
    return modeIn(await this.#command('--json', 'settings', 'update', 'changesToApproved', request.mode, ...existing));
  }

  #request(request: RegistryRequest): AuthorizedRequest {
    if (request.kind === 'queue') {
      return {
        method: 'GET',
        path: '/operator/v1/review-queue?view=full&limit=100',
        token: this.#tokens.operator,
        isPublic: false,
      };
    }
    if (request.kind === 'suspend' || request.kind === 'unsuspend') {
      const { kind, developerId, ...body } = request;
      const path = `/operator/v1/developers/${developerId}/${kind}`;
      const isEmpty = Object.keys(body).length === 0;
      return { method: 'POST', path, token: this.#tokens.operator, isPublic: false, ...(!isEmpty && { body }) };
    }
    const settings = { path: '/operator/v1/settings', token: this.#tokens.operator, isPublic: false };
    if (request.kind === 'settings') return { ...settings, method: 'GET' };
    const { mode: changesToApproved, existing } = request;
    const query = existing === undefined ? '' : `?existing=${existing}`;
    return { ...settings, method: 'PATCH', path: `${settings.path}${query}`, body: { changesToApproved } };
  }
}

function responseTo({ kind }: RegistryRequest, text: string): AppResponse {
  const view = JSON.parse(text);
  if (kind === 'queue') return { queue: view.items };
  if (kind === 'suspend') return { suspended: view };
  return kind === 'unsuspend' ? { unsuspended: view } : modeIn(text);
}

function modeIn(text: string): AppResponse {
  return { mode: JSON.parse(text).changesToApproved };
}

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApiRequest,
  apiRequest,
  getAppRequest,
  type HttpRequest,
  updateAppRequest,
} from '@appregistrar/testkit/http/http-request';
import { type ReceivedResponse, trySend } from '@appregistrar/testkit/http/send';
import type { Credentials } from '../harness/credentials.ts';
import { guarantee } from '../harness/fault-injection.ts';
import type { Service } from '../harness/service.ts';

const outageMsMax = 30_000;

/** The requests of the developer, the platform and the operator. */
export class Client {
  readonly #credentials: Credentials;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  get developerId(): string {
    return this.#credentials.developerId;
  }

  update({ publicUrl }: Service, id: string, update: object, ifMatch = '*'): Promise<ReceivedResponse> {
    const headers = { 'if-match': ifMatch };
    return untilAvailable(publicUrl, updateAppRequest(this.#credentials.developer, { id, update, headers }));
  }

  read({ publicUrl }: Service, id: string, headers: Record<string, string> = {}): Promise<ReceivedResponse> {
    return untilAvailable(publicUrl, getAppRequest(this.#credentials.platform, id, headers));
  }

  operate({ operatorUrl }: Service, request: ApiRequest): Promise<ReceivedResponse> {
    return untilAvailable(operatorUrl, apiRequest(this.#credentials.operator, request));
  }
}

/** A service that has just lost its database may respond with 503. */
async function untilAvailable(origin: string, request: HttpRequest): Promise<ReceivedResponse> {
  const deadline = performance.now() + outageMsMax;
  for (;;) {
    const response = await trySend(origin, request);
    if (response && response.status !== 503) return response;
    guarantee(performance.now() < deadline, `${request.method} ${request.path} receives ${response?.status}`);
    await sleep(50);
  }
}

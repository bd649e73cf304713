import { setTimeout as sleep } from 'node:timers/promises';
import { apiRequest } from '@appregistrar/testkit/http/http-request';
import { trySend } from '@appregistrar/testkit/http/send';

interface OperatorsParts {
  operatorUrl: string;
  token: string;
  /** The paths to request in turn. */
  paths: string[];
  count: number;
  restMs: number;
}

/** Clients that read lists, metrics and health. */
export class Operators {
  /** The duration of each response in milliseconds. */
  readonly ms: number[] = [];
  /** Responses other than 200. */
  readonly failures: string[] = [];
  readonly #parts: OperatorsParts;
  readonly #clients: Promise<void>[];
  #isStopped = false;

  constructor(parts: OperatorsParts) {
    this.#parts = parts;
    this.#clients = Array.from({ length: parts.count }, () => this.#repeat());
  }

  /** Resolves once each client has its last response. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #repeat(): Promise<void> {
    const { operatorUrl, token, paths, restMs } = this.#parts;
    for (let turn = 0; !this.#isStopped; turn += 1) {
      const path = paths[turn % paths.length] ?? '';
      const response = await trySend(operatorUrl, apiRequest(token, { path }));
      if (response) this.ms.push(response.ms);
      if (response?.status !== 200) {
        this.failures.push(`${path}: ${response?.status ?? 'no response'} ${response?.text ?? ''}`);
      }
      await sleep(restMs);
    }
  }
}

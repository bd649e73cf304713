import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../frame/http-request.ts';

interface OperatorsParts {
  operatorUrl: string;
  token: string;
  /** What is asked for, one after another and again. */
  paths: string[];
  count: number;
  restMs: number;
}

/** Clients that look at lists, metrics and health. */
export class Operators {
  /** The milliseconds of each answer. */
  readonly ms: number[] = [];
  /** What else than a 200 they got. */
  readonly failures: string[] = [];
  readonly #parts: OperatorsParts;
  readonly #clients: Promise<void>[];
  #isStopped = false;

  constructor(parts: OperatorsParts) {
    this.#parts = parts;
    this.#clients = Array.from({ length: parts.count }, () => this.#repeat());
  }

  /** Resolves once each client has its last answer. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #repeat(): Promise<void> {
    const { operatorUrl, token, paths, restMs } = this.#parts;
    for (let turn = 0; !this.#isStopped; turn += 1) {
      const path = paths[turn % paths.length];
      const answer = await ask(`${operatorUrl}${path}`, { token });
      if (answer) this.ms.push(answer.ms);
      if (answer?.status !== 200) this.failures.push(`${path}: ${answer?.status ?? 'no answer'} ${answer?.text ?? ''}`);
      await sleep(restMs);
    }
  }
}

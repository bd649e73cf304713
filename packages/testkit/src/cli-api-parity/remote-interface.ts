import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import type { Problem } from '../../../server/src/kernel/problem-details.ts';
import { jsonOf, runHere } from '../programs/command-line.ts';
import { operatorListener } from '../http/operator-listener.ts';
import type { ParityCase } from './parity-case.ts';
import type { ParityInterface, Result } from './parity-interface.ts';
import type { ParityRegistry } from './parity-registry.ts';

/** The command line with `--url`, on a server that listens. Its token says who makes each change. */
export class RemoteInterface implements ParityInterface {
  readonly target: ParityRegistry;
  readonly actor: string;
  readonly #listener: FastifyInstance;
  readonly #url: string;

  static async open(target: ParityRegistry): Promise<RemoteInterface> {
    const listener = operatorListener(target.registry);
    return new RemoteInterface(target, listener, await listener.listen({ host: '127.0.0.1', port: 0 }));
  }

  private constructor(target: ParityRegistry, listener: FastifyInstance, url: string) {
    this.target = target;
    this.actor = target.token.id;
    this.#listener = listener;
    this.#url = url;
  }

  /** Only what its requests give is in their events. */
  reasonOf(): undefined {}

  async call({ command }: ParityCase): Promise<Result> {
    const { names, token } = this.target;
    const args = command.map((text) => names.replaceNames(text));
    process.env.APP_REGISTRY_TOKEN = token.token;
    // In front: a command may have a --url of its own.
    const result = await runHere('--url', this.#url, ...args, '--json').finally(
      () => delete process.env.APP_REGISTRY_TOKEN,
    );
    if (result.status === 0) return { response: jsonOf(result) };
    assert.deepEqual([result.status, result.stdout], [1, ''], result.stderr);
    const { code, title, detail, errors }: Problem = JSON.parse(result.stderr);
    return { refusal: { code, title, detail, ...(errors && { errors }) } };
  }

  close(): Promise<void> {
    return this.#listener.close();
  }
}

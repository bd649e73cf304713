import { sqlite } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { FastifyInstance } from 'fastify';
import { operatorListener } from '../http/operator-listener.ts';

/** A registry whose operator API listens on this machine. */
export class ServedOperatorApi {
  readonly data: RegistryFixture;
  readonly url: string;
  readonly #listener: FastifyInstance;

  static async start(): Promise<ServedOperatorApi> {
    const data = await RegistryFixture.open(sqlite);
    const listener = operatorListener(data.registry);
    return new ServedOperatorApi(data, listener, await listener.listen({ host: '127.0.0.1', port: 0 }));
  }

  private constructor(data: RegistryFixture, listener: FastifyInstance, url: string) {
    this.data = data;
    this.url = url;
    this.#listener = listener;
  }

  async stop(): Promise<void> {
    await this.#listener.close();
    await this.data.close();
  }
}

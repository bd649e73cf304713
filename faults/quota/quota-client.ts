import { requestBytes, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { RawConnection } from '@appregistrar/testkit/http/raw-connection';
import { guarantee } from '../harness/fault-injection.ts';

interface QuotaClientParts {
  port: number;
  appId: string;
  token: string;
  /** Updates per window. */
  limit: number;
}

/** A developer who uses up a quota. */
export class QuotaClient {
  readonly #parts: QuotaClientParts;

  constructor(parts: QuotaClientParts) {
    this.#parts = parts;
  }

  /** Sends updates at the same time. Returns how many were admitted, and the wait that the others were given. */
  async update(count: number): Promise<{ admitted: number; retryAfter: number | null }> {
    const responses = await Promise.all(Array.from({ length: count }, () => this.#send({ logoId: null })));
    const statuses = new Set(responses.map(({ status }) => status));
    guarantee(
      statuses.isSubsetOf(new Set([200, 429])),
      () => `updates received ${[...statuses]}: ${responses[0]?.text ?? ''}`,
    );
    for (const response of responses) this.#left(response);
    const rejected = responses.filter(({ status }) => status === 429);
    const waits = new Set(rejected.map(({ headers }) => Number(headers['retry-after'])));
    guarantee(waits.size <= 1, `rejected together, and with the Retry-After ${[...waits]}`);
    const [retryAfter = null] = waits;
    guarantee(
      retryAfter === null || (retryAfter >= 1 && retryAfter <= 60),
      `a rejected update has the Retry-After ${retryAfter}`,
    );
    return { admitted: count - rejected.length, retryAfter };
  }

  /** What is left of the quota. Takes none of it. */
  async left(): Promise<number> {
    return this.#left(await this.#send({}));
  }

  /** Sends empty updates except for the end of their bodies. Resolves once each has taken quota. */
  async startEmptyUpdates(count: number): Promise<SlowUpdate[]> {
    const before = await this.left();
    const updates = Array.from({ length: count }, () => new SlowUpdate(this.#parts.port, this.#request({})));
    for (let left = before; left !== before - count; ) {
      left = await this.left();
      guarantee(left >= before - count, `${count} updates in progress have left ${left} of ${before}`);
    }
    return updates;
  }

  /** Their responses are those of reads. Returns the quota that the last one reports as left. */
  async finish(updates: SlowUpdate[]): Promise<number> {
    let left = Number.NaN;
    for (const update of updates) left = this.#left(await update.finish());
    return left;
  }

  async #send(update: object): Promise<HttpResponse> {
    const connection = new RawConnection(this.#parts.port);
    try {
      return await connection.send(requestBytes(this.#request(update)));
    } finally {
      connection.close();
    }
  }

  #request(update: object) {
    const { appId, token, port } = this.#parts;
    return updateAppRequest(token, { id: appId, update, headers: { host: `127.0.0.1:${port}` } });
  }

  #left({ headers, status, text }: HttpResponse): number {
    const { limit } = this.#parts;
    const [, left, seconds] = /^"updates";r=(\d+);t=(\d+)$/.exec(headers.ratelimit ?? '') ?? [];
    guarantee(left !== undefined, () => `a response ${status} has the RateLimit ${headers.ratelimit}: ${text}`);
    guarantee(Number(left) <= limit, `${left} updates are left of ${limit}`);
    guarantee(Number(seconds) >= 1 && Number(seconds) <= 60, `the window ends in ${seconds} s`);
    return Number(left);
  }
}

/** An update whose last byte is missing. */
export class SlowUpdate {
  readonly #connection: RawConnection;
  readonly #rest: Buffer;

  constructor(port: number, request: Parameters<typeof requestBytes>[0]) {
    const bytes = requestBytes(request);
    this.#rest = bytes.subarray(-1);
    this.#connection = new RawConnection(port);
    this.#connection.write(bytes.subarray(0, -1));
  }

  async finish(): Promise<HttpResponse> {
    const response = await this.#connection.send(this.#rest);
    this.#connection.close();
    guarantee(response.status === 200, `a slow empty update received ${response.status} ${response.text}`);
    return response;
  }
}

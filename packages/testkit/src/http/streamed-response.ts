import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** The answer to a GET on a connection of its own, which is read when it is asked for. */
export class StreamedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly #response: IncomingMessage;
  readonly #read: Buffer[] = [];

  static async get(
    port: number,
    path: string,
    { headers, signal }: { headers: Record<string, string>; signal?: AbortSignal | undefined },
  ): Promise<StreamedResponse> {
    const request = get({ port, path, headers, signal, agent: false });
    const [response] = await once(request, 'response');
    // Heard of by who reads; an answer that nobody reads any more may be cut.
    for (const emitter of [request, response]) emitter.on('error', () => {});
    return new StreamedResponse(response);
  }

  private constructor(response: IncomingMessage) {
    this.#response = response;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
  }

  /** Reads on to the end: the whole text, or an error when the answer is cut. */
  async text(): Promise<string> {
    const body = Buffer.concat([...this.#read, ...(await this.#response.toArray())]);
    return (this.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
  }

  /** Reads so many bytes, and then no more. */
  async read(bytes: number): Promise<void> {
    for (let left = bytes; left > 0; ) {
      const chunk: Buffer | null = this.#response.read();
      if (chunk) this.#read.push(chunk);
      else await once(this.#response, 'readable');
      left -= chunk?.length ?? 0;
    }
  }

  vanish(): void {
    this.#response.destroy();
  }
}

import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** The response to a GET on its own connection, which is read on demand. */
export class StreamedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly #response: IncomingMessage;
  readonly #chunks: Buffer[] = [];

  static async get(
    port: number,
    path: string,
    { headers, signal }: { headers: Record<string, string>; signal?: AbortSignal | undefined },
  ): Promise<StreamedResponse> {
    const request = get({ port, path, headers, signal, agent: false });
    const [response] = await once(request, 'response');
    // A reader receives the error; without one the server may reset the connection.
    for (const emitter of [request, response]) emitter.on('error', () => {});
    return new StreamedResponse(response);
  }

  private constructor(response: IncomingMessage) {
    this.#response = response;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
  }

  /**
   * Reads to the end. Rejects if the response is truncated.
   * @param onRead receives the number of bytes that have been read, after each chunk
   */
  async text(onRead: (bytes: number) => void = () => {}): Promise<string> {
    let bytes = this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    for await (const chunk of this.#response) {
      this.#chunks.push(chunk);
      bytes += chunk.length;
      onRead(bytes);
    }
    const body = Buffer.concat(this.#chunks);
    return (this.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
  }

  /** Reads at least this many bytes, then pauses. */
  async read(bytes: number): Promise<void> {
    for (let left = bytes; left > 0; ) {
      const chunk: Buffer | null = this.#response.read();
      if (chunk) this.#chunks.push(chunk);
      else await once(this.#response, 'readable');
      left -= chunk?.length ?? 0;
    }
  }

  destroy(): void {
    this.#response.destroy();
  }
}

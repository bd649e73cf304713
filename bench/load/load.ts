import { type HttpRequest, requestBytes } from '@appregistrar/testkit/http/http-request';
import type { LoadResponse } from './http-connection.ts';

/** The bytes of a request to a server on this machine. */
export function bytesOf(request: HttpRequest): Buffer {
  return requestBytes({ ...request, headers: { host: '127.0.0.1', ...request.headers } });
}

/** An encoded request, and the handler of its response, which throws if that is unexpected. */
export interface LoadRequest {
  bytes: Buffer;
  onResponse: (response: LoadResponse) => void;
}

export interface LoadOptions {
  /** The ports of the servers. Connections go to them in turn. */
  ports: number[];
  connections: number;
  seconds: number;
  /** Precedes the measurement, under the same load. */
  warmUpSeconds: number;
  next: () => LoadRequest;
}

/** The same request every time. Its response must be 200. */
export function always(bytes: Buffer): () => LoadRequest {
  return inTurn([bytes]);
}

/** These requests in turn. Each response must be 200. */
export function inTurn(requests: Buffer[]): () => LoadRequest {
  let at = 0;
  return () => {
    const bytes = requests[at++ % requests.length] as Buffer;
    return { bytes, onResponse: require200 };
  };
}

export function require200({ status, body }: LoadResponse): void {
  if (status !== 200) throw new Error(`unexpected response ${status}: ${body}`);
}

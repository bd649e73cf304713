import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { OperatorProblem } from '../../../server/src/kernel/problem-details.ts';

/** A complete response, injected or received over a socket. */
export class HttpResponse<View = unknown> {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded body. */
  readonly text: string;
  /** Of the status line; empty unless received over a socket. */
  readonly reason: string;

  /** A body of bytes is decoded by its `Content-Encoding`; a body of text is decoded already. */
  constructor(status: number, headers: Record<string, string>, body: string | Buffer, reason = '') {
    this.status = status;
    this.headers = headers;
    this.reason = reason;
    this.text = typeof body === 'string' ? body : decode(body, headers['content-encoding']);
  }

  /** The parsed body of a success. */
  get view(): View {
    assert.ok(this.status === 200 || this.status === 201, `${this.status} ${this.text}`);
    return JSON.parse(this.text);
  }

  /** The problem details of an error. */
  get problem(): OperatorProblem {
    assert.equal(this.headers['content-type'], 'application/problem+json', this.text);
    return JSON.parse(this.text);
  }

  /** Status and problem code, as in `404 app_not_found`. */
  get refusal(): string {
    return `${this.status} ${this.problem.code}`;
  }

  /** The pointer and code of each validation error of a 422. */
  get validationErrors(): string[] {
    return (this.problem.errors ?? []).map(({ parameter, pointer = parameter, code }) => `${pointer} ${code}`);
  }

  get etag(): string {
    return this.headers.etag ?? assert.fail(`no ETag in the response ${this.status} ${this.text}`);
  }
}

/** A response to HEAD has the encoding of a body, but no body. */
function decode(body: Buffer, encoding: string | undefined): string {
  if (body.length === 0) return '';
  const decoders: Record<string, (body: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };
  return (decoders[encoding ?? '']?.(body) ?? body).toString();
}

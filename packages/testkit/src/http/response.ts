import assert from 'node:assert/strict';
import type { Problem } from '../../../server/src/contract/problem.ts';

/** A response, however it came: injected, or over a socket. */
export class Answer<View = unknown> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;

  constructor(status: number, headers: Record<string, string>, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** What a successful answer shows. */
  get view(): View {
    assert.ok(this.status === 200 || this.status === 201, this.text);
    return JSON.parse(this.text);
  }

  /** What a refusal says. */
  get problem(): Problem {
    assert.equal(this.headers['content-type'], 'application/problem+json', this.text);
    return JSON.parse(this.text);
  }

  /** Status and code: what most tests of a refusal ask. */
  get refusal(): string {
    return `${this.status} ${this.problem.code}`;
  }

  /** Of a 422: the pointer and code of each fault. */
  get faults(): string[] {
    return (this.problem.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
  }

  get etag(): string {
    return this.headers.etag ?? assert.fail(`no ETag in the answer ${this.status} ${this.text}`);
  }
}

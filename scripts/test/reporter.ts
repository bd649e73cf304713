/** Writes each result as a line of JSON to the pipe that `run-group.ts` opens as descriptor 3. */
import { writeSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** A test, or a group of tests, that has ended. */
export interface Result {
  readonly name: string;
  /** Its file and line. */
  readonly file: string;
  readonly line: number;
  /** 0 at the top of a file. */
  readonly nesting: number;
  readonly isSuite: boolean;
  readonly ms: number;
  readonly isSkipped: boolean;
  /** Undefined if it passed. */
  readonly failure?: string;
}

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'test:stdout' || event.type === 'test:stderr') yield event.data.message;
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { name, file = '', line = 0, nesting, skip, details } = event.data;
    const result: Result = {
      name,
      file,
      line,
      nesting,
      isSuite: details.type === 'suite',
      ms: details.duration_ms,
      isSkipped: skip !== undefined,
      ...(event.type === 'test:fail' && {
        failure: inspect(event.data.details.error.cause ?? event.data.details.error),
      }),
    };
    writeSync(3, `${JSON.stringify(result)}\n`);
  }
}

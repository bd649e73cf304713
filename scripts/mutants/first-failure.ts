import { writeFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';

/**
 * A reporter that ends the process at the first failed test. Before, it writes `{"file": …, "test": …}` to the file named in
 * the environment.
 */
export default async function firstFailure(events: AsyncIterable<TestEvent>): Promise<void> {
  for await (const event of events) {
    if (event.type !== 'test:complete' || event.data.details.passed) continue;
    const { file, name } = event.data;
    writeFileSync(process.env.FIRST_FAILURE_FILE ?? '', JSON.stringify({ file, test: name }));
    process.exit(1);
  }
}

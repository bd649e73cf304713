import type { Installation } from '../types/app.ts';
import { type AppAlone, AppReader } from './app-reader.ts';
import type { Attempt } from './attempt.ts';
import { errorOf } from './errors.ts';
import type { Connection } from './options.ts';
import { withConnectionError } from './request.ts';
import { describeResponse } from './response.ts';
import type { StreamedApp } from './streamed-app.ts';

/** Resolves at the start of the reader. */
export async function streamApp(connection: Connection, received: Response, attempt: Attempt): Promise<StreamedApp> {
  const { etag, requestId } = describeResponse(received);
  const parts = partsOf(connection, received, attempt);
  const { value: app } = await parts.next();
  return { notModified: false, etag, requestId, app, installations: parts } as StreamedApp;
}

/** The app and then its installations. Completes without an error only at the end of the reader. */
async function* partsOf(
  connection: Connection,
  received: Response,
  attempt: Attempt,
): AsyncGenerator<AppAlone | Installation, void, void> {
  const reader = new AppReader();
  const decoder = new TextDecoder();
  const body = received.body?.getReader();
  try {
    for (let isAhead = true; ; isAhead = !reader.app) {
      // Each chunk has the full timeout, which does not include the time of the consumer.
      const next = await attempt.within(() => withConnectionError(connection, async () => body?.read()));
      if (!next?.value) return reader.end();
      const installations = reader.push(decoder.decode(next.value, { stream: true }));
      if (isAhead && reader.app) yield reader.app;
      yield* installations;
    }
  } catch (error) {
    throw error instanceof SyntaxError ? errorOf(describeResponse(received)) : error;
  } finally {
    attempt.end();
  }
}

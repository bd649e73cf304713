import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import type { Bench } from './case.ts';
import { sendOnce, startOurs } from './contestants.ts';
import type { Database } from './databases.ts';
import { type SentStatement, StatementRecorder } from './statement-recorder.ts';

const warmUps = 3;
const recordings = 20;
/** The pause after each request: background work at the start of the server takes longer than a few requests. */
const pauseMs = 50;

export interface RecordedRequest {
  /** Whether it is for the operator listener. */
  isOperators?: boolean;
  /** A successful request that does the same as the previous one. */
  next: (port: number) => HttpRequest;
}

/** The statements that a warm registry sends for one request. */
export async function recordStatements(
  bench: Bench,
  database: Database,
  { isOperators = false, next }: RecordedRequest,
): Promise<SentStatement[]> {
  const recorder = await StatementRecorder.start(database.url);
  try {
    const ours = await startOurs(bench, { ...database, url: recorder.urlFor(database.url) });
    try {
      const port = isOperators ? ours.operatorPort : ours.port;
      const recorded: SentStatement[][] = [];
      for (let count = 0; count < warmUps + recordings; count += 1) {
        recorder.take();
        const { status, text } = await sendOnce(port, next(port));
        if (status >= 300) throw new Error(`a recorded request received ${status}: ${text}`);
        if (count >= warmUps) recorded.push(recorder.take());
        await sleep(pauseMs);
      }
      // Some recordings include background work, such as polling for deliveries.
      return recorded.reduce((least, one) => (one.length < least.length ? one : least));
    } finally {
      await ours.stop();
    }
  } finally {
    recorder.close();
  }
}

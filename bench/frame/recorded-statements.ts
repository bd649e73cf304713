import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask } from '../load/http-request.ts';
import type { Bench } from './case.ts';
import { answerTo, startOurs } from './contestants.ts';
import type { Database } from './databases.ts';
import { type SentStatement, StatementRecorder } from './statement-recorder.ts';

const warmUps = 3;
const recordings = 20;
/** What the server does by itself at its start takes longer than a few requests. */
const betweenMs = 50;

export interface RecordedAsk {
  /** At the operator's listener and not the public one. */
  isOperators?: boolean;
  /** A request that does the same as the one before, and is answered with success. */
  next: (port: number) => Ask;
}

/** The statements that our server sends for one request, once it runs. */
export async function recordStatements(
  bench: Bench,
  database: Database,
  { isOperators = false, next }: RecordedAsk,
): Promise<SentStatement[]> {
  const recorder = await StatementRecorder.start(database.url);
  try {
    const ours = await startOurs(bench, { ...database, url: recorder.urlFor(database.url) });
    try {
      const port = isOperators ? ours.operatorPort : ours.port;
      const recorded: SentStatement[][] = [];
      for (let count = 0; count < warmUps + recordings; count += 1) {
        recorder.take();
        const { status, body } = await answerTo(port, next(port));
        if (status >= 300) throw new Error(`a request to record was answered with ${status}: ${body}`);
        if (count >= warmUps) recorded.push(recorder.take());
        await sleep(betweenMs);
      }
      // What the server does by itself, such as looking for deliveries, may be among some of them.
      return recorded.reduce((least, one) => (one.length < least.length ? one : least));
    } finally {
      await ours.stop();
    }
  } finally {
    recorder.close();
  }
}

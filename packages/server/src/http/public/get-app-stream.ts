import { Readable } from 'node:stream';
import type { PlatformApp } from '../../features/apps/app.ts';
import { type AppPart, streamApp } from '../../features/apps/get-app.ts';
import type { Registry } from '../../kernel/registry.ts';
import { HttpProblem } from '../problem/problem.ts';

const retryAfterSeconds = 5;

/** Sends apps with long lists, a limited number at one time (decision 27). */
export class AppStreams {
  readonly #registry: Registry;
  readonly #atOnceMax: number;
  #open = 0;

  /** `atOnceMax` 0 means no limit. */
  constructor(registry: Registry, atOnceMax: number) {
    this.#registry = registry;
    this.#atOnceMax = atOnceMax;
  }

  /** Resolves once the app is found. Throws `app_not_found`, and `unavailable` when too many streams are open. */
  async open(id: string): Promise<{ text: Readable; revision: string }> {
    if (this.#atOnceMax > 0 && this.#open >= this.#atOnceMax) throw tooMany();
    this.#open += 1;
    const parts = streamApp(this.#registry, id);
    try {
      const { value: first } = await parts.next();
      if (!first) throw new Error('an app without a first part');
      // A generator that returns before its first `next` would not close what it reads from.
      const text = Readable.from(textOf(first.app, parts)).once('close', () => this.#end(parts));
      return { text, revision: first.revision };
    } catch (error) {
      this.#end(parts);
      throw error;
    }
  }

  #end(parts: AsyncGenerator<AppPart, undefined>): void {
    // Counted until its connection to the database is released.
    const ended = () => {
      this.#open -= 1;
    };
    parts.return(undefined).then(ended, ended);
  }
}

/** The JSON text of the complete app, piece by piece. */
async function* textOf(app: PlatformApp, rest: AsyncIterable<AppPart>): AsyncGenerator<string> {
  // Only the field matches: inside a string its quotes would be escaped.
  const [head, tail] = JSON.stringify(app).split('"installations":[]');
  let before = `${head}"installations":[`;
  for await (const { installations } of rest) {
    yield before + installations;
    before = ',';
  }
  yield `${before === ',' ? '' : before}]${tail}`;
}

function tooMany(): HttpProblem {
  return new HttpProblem('unavailable', 'Too many long lists are being sent. Retry in a moment.', {
    'retry-after': String(retryAfterSeconds),
  });
}

import { Readable } from 'node:stream';
import type { PlatformApp } from '../../features/apps/app-schemas.ts';
import { type AppPart, getAppRevision, streamApp } from '../../features/apps/get-app.ts';
import { publicOperations } from '../../features/operations.ts';
import type { Registry } from '../../kernel/registry.ts';
import { acceptedCodings, encodeStream } from '../body/content-coding.ts';
import type { RateLimits } from '../limits/rate-limit.ts';
import { type NodeRoute, nodeRoute, type PreparedResponse, type RequestContext } from '../listener/node-route.ts';
import { HttpProblem } from '../problem/problem.ts';
import { AppResponses, bodyFields, notModified, requireMatch, viewTag } from './app-response.ts';

interface GetAppOptions {
  limits: RateLimits;
  streams: AppStreams;
}

/** Get App (interface 4.2). */
export function getAppRoute(registry: Registry, { limits, streams }: GetAppOptions): NodeRoute {
  const responses = new AppResponses(registry);
  return nodeRoute(publicOperations.getApp, {
    count: ({ id, readsPerMinute }) => limits.reads.take(id, readsPerMinute),

    async handle(context, id, authorized) {
      const found = getAppRevision(registry, id);
      // Awaited only once nothing else refuses the request.
      found.catch(() => {});
      await authorized;
      if (context.quota?.problem) throw context.quota.problem;
      const revision = await found;
      const response = await responses.make(id, revision, context.request.headers);
      return response ?? streamed(context, id, revision);
    },
  });

  /** An app whose list is too long to be cached. */
  async function streamed({ request }: RequestContext, id: string, revision: string): Promise<PreparedResponse> {
    const { headers, method } = request;
    const accepted = acceptedCodings(headers['accept-encoding']);
    const tag = viewTag(registry, id, revision);
    requireMatch(tag, headers, accepted[0]);
    const known = notModified(tag, headers, accepted);
    if (known) return known;
    if (method === 'HEAD') {
      return { status: 200, fields: bodyFields(tag, accepted[0]), body: null };
    }
    // It may have changed since its revision was looked up.
    const { text, revision: openedRevision } = await streams.open(id);
    const openedTag = viewTag(registry, id, openedRevision);
    try {
      requireMatch(openedTag, headers, accepted[0]);
    } catch (problem) {
      text.destroy();
      throw problem;
    }
    const { body, coding } = encodeStream(text, accepted);
    return { status: 200, fields: bodyFields(openedTag, coding), body };
  }
}

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

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { PlatformApp } from '../../features/apps/app-schemas.ts';
import { type AppPart, readAppRevision, streamApp } from '../../features/apps/get-app.ts';
import { publicOperations } from '../../features/operations.ts';
import type { Registry } from '../../kernel/registry.ts';
import {
  type AcceptedCodings,
  acceptedCodings,
  type ContentCoding,
  codingOf,
  encode,
  encodeStream,
  matchesStrongly,
  matchesWeakly,
  tagIn,
} from '../body/header-fields.ts';
import type { RateLimits } from '../limits/rate-limit.ts';
import { type NodeRoute, nodeRoute, type PreparedResponse, type RequestContext } from '../listener/request-context.ts';
import { HttpProblem } from '../problem/problem.ts';

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
      const found = readAppRevision(registry, id);
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

/** 0 means no limit. */
interface StreamLimits {
  atOnceMax: number;
  /** How long the snapshot of a list may last: meanwhile the database retains all that it shows. */
  msMax: number;
}

/** Sends apps with long lists, a limited number at one time. */
export class AppStreams {
  readonly #registry: Registry;
  readonly #limits: StreamLimits;
  #open = 0;

  constructor(registry: Registry, limits: StreamLimits) {
    this.#registry = registry;
    this.#limits = limits;
  }

  /** Resolves once the app is found. Throws `app_not_found`, and `unavailable` when too many streams are open. */
  async open(id: string): Promise<{ text: Readable; revision: string }> {
    const { atOnceMax, msMax } = this.#limits;
    if (atOnceMax > 0 && this.#open >= atOnceMax) throw tooMany();
    this.#open += 1;
    const parts = streamApp(this.#registry, id);
    try {
      const { value: first } = await parts.next();
      if (!first) throw new Error('an app without a first part');
      // A generator that returns before its first `next` would not close what it reads from.
      const text = Readable.from(textOf(first.app, parts));
      const late = () =>
        text.destroy(new Error(`a list was not read within ${msMax} ms, for which its snapshot may last`));
      const timer = msMax > 0 ? setTimeout(late, msMax).unref() : undefined;
      text.once('close', () => {
        clearTimeout(timer);
        this.#end(parts);
      });
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

/** Raised when the same app is shown differently by a new release. */
const viewVersion = 1;

/** Twelve thousand apps with ten installations. */
const cacheBytesMax = 33_554_432;

/** The successful responses to Get App, except for lists that are too long to be cached. */
export class AppResponses {
  readonly #registry: Registry;
  readonly #cache = new AppResponseCache(cacheBytesMax);
  /** Reads in progress, by revision and id: requests that arrive meanwhile share them. */
  readonly #reads = new Map<string, Promise<CachedApp | null>>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Null when the list is too long. Throws `precondition_failed`, and what reading throws. */
  async make(id: string, revision: string, headers: IncomingHttpHeaders): Promise<PreparedResponse | null> {
    const accepted = acceptedCodings(headers['accept-encoding']);
    const cached = this.#cache.find(id, revision);
    // An If-Match precedes it, and depends on the coding of the body.
    if (headers['if-match'] === undefined) {
      const known = notModified(cached?.tag ?? viewTag(this.#registry, id, revision), headers, accepted);
      if (known) return known;
    }
    const app = cached ?? (await this.#readOnce(id, revision));
    if (!app) return null;
    const coding = codingOf(app.bodies.identity.length, accepted);
    requireMatch(app.tag, headers, coding);
    const known = notModified(app.tag, headers, accepted);
    return known ?? withBody(app.tag, coding, app.bodies[coding] ?? (await this.#cache.encode(app, coding)));
  }

  #readOnce(id: string, revision: string): Promise<CachedApp | null> {
    const key = `${revision} ${id}`;
    let reading = this.#reads.get(key);
    if (!reading) {
      reading = this.#read(id).finally(() => this.#reads.delete(key));
      this.#reads.set(key, reading);
    }
    return reading;
  }

  async #read(id: string): Promise<CachedApp | null> {
    const { app, revision, isComplete } = await publicOperations.getApp.run(this.#registry, id);
    if (!isComplete) return null;
    const bodies = { identity: ownBytes(JSON.stringify(app)) };
    const response = { id, revision, tag: viewTag(this.#registry, id, revision), bodies };
    this.#cache.set(response);
    return response;
  }
}

/** Identifies a response without building it. */
function viewTag({ epoch, logoBaseUrl }: Registry, id: string, revision: string): string {
  return createHash('sha256')
    .update(JSON.stringify([viewVersion, epoch, logoBaseUrl, id, revision]))
    .digest('base64url')
    .slice(0, 22);
}

/** A 412 for an If-Match that does not have the tag of the response in this coding (RFC 9110, 13.1.1). */
function requireMatch(tag: string, { 'if-match': ifMatch }: IncomingHttpHeaders, coding: ContentCoding): void {
  if (ifMatch === undefined || matchesStrongly(ifMatch, tagIn(coding, tag))) return;
  throw new HttpProblem('precondition_failed', 'The app has changed since the ETag in If-Match. Read it again.', {
    etag: quotedTag(tag, coding),
  });
}

/** A 304 for a client that has the app already, in the content coding that it has. */
function notModified(
  tag: string,
  { 'if-none-match': ifNoneMatch }: IncomingHttpHeaders,
  accepted: AcceptedCodings,
): PreparedResponse | null {
  if (ifNoneMatch === undefined) return null;
  const known = accepted.find((coding) => matchesWeakly(ifNoneMatch, tagIn(coding, tag)));
  return known ? { status: 304, fields: cacheFields(tag, known), body: null } : null;
}

function withBody(tag: string, coding: ContentCoding, body: Buffer): PreparedResponse {
  return { status: 200, fields: bodyFields(tag, coding), body };
}

function bodyFields(tag: string, coding: ContentCoding): Record<string, string> {
  const fields = { 'content-type': 'application/json', ...cacheFields(tag, coding) };
  return coding === 'identity' ? fields : { ...fields, 'content-encoding': coding };
}

/** A cache revalidates the response before each use. */
function cacheFields(tag: string, coding: ContentCoding): Record<string, string> {
  return { 'cache-control': 'private, no-cache', vary: 'Accept-Encoding', etag: quotedTag(tag, coding) };
}

function quotedTag(tag: string, coding: ContentCoding): string {
  return `"${tagIn(coding, tag)}"`;
}

/** The response to Get App at one revision, in the codings that clients requested. */
export interface CachedApp {
  id: string;
  revision: string;
  /** Identifies the response, without its coding. */
  tag: string;
  bodies: { identity: Buffer } & Partial<Record<ContentCoding, Buffer>>;
}

/** Approximate size of an entry without its bodies. */
const entryBytes = 500;

/**
 * Responses that can be sent again while their app is at the same revision: the latest one of each app, in at most
 * `bytesMax` together. The least recently used are evicted first.
 */
export class AppResponseCache {
  readonly #apps: LRUCache<string, CachedApp>;

  constructor(bytesMax: number) {
    this.#apps = new LRUCache({ maxSize: bytesMax, sizeCalculation: bytesOf });
  }

  find(id: string, revision: string): CachedApp | undefined {
    const app = this.#apps.get(id);
    return app?.revision === revision ? app : undefined;
  }

  set(app: CachedApp): void {
    // Which of two revisions is newer is unknown: their numbers can repeat. An older one costs one more read.
    this.#apps.set(app.id, app);
  }

  /** The body in a coding, which is then cached too. */
  async encode(app: CachedApp, coding: ContentCoding): Promise<Buffer> {
    const body = await encode(app.bodies.identity, coding);
    // Another revision may have been cached meanwhile. The cache measures an entry only when it is a new object.
    if (this.#apps.peek(app.id)?.revision === app.revision)
      this.set({ ...app, bodies: { ...app.bodies, [coding]: body } });
    return body;
  }
}

/** A body in memory of its own: a small Node buffer would retain the whole pool that it is a part of. */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function bytesOf({ bodies }: CachedApp): number {
  return entryBytes + bodies.identity.length + (bodies.gzip?.length ?? 0);
}

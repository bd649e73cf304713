import { LRUCache } from 'lru-cache';
import { type ContentCoding, encode } from '../body/content-coding.ts';

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

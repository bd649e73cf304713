import { LRUCache } from 'lru-cache';
import { type ContentCoding, encode } from '../body/content-coding.ts';

/** The answer to Get App as it was at one revision, in the codings that were asked for. */
export interface KeptApp {
  id: string;
  revision: number;
  /** Names the answer, without its coding. */
  tag: string;
  bodies: { identity: Buffer } & Partial<Record<ContentCoding, Buffer>>;
}

/** What an entry takes beside its bodies, about. */
const entryBytes = 500;

/**
 * Responses that can be sent again while their app is at the same revision: the latest one of each app, in at most
 * `bytesMax` together. The least recently used are evicted first.
 */
export class AppResponseCache {
  readonly #apps: LRUCache<string, KeptApp>;

  constructor(bytesMax: number) {
    this.#apps = new LRUCache({ maxSize: bytesMax, sizeCalculation: bytesOf });
  }

  find(id: string, revision: number): KeptApp | undefined {
    const app = this.#apps.get(id);
    return app?.revision === revision ? app : undefined;
  }

  keep(app: KeptApp): void {
    const cached = this.#apps.peek(app.id);
    // A slower reader can bring an older revision.
    if (cached && cached.revision > app.revision) return;
    this.#apps.set(app.id, app);
  }

  /** The body in a coding, which is then cached too. */
  async encode(app: KeptApp, coding: ContentCoding): Promise<Buffer> {
    const body = await encode(app.bodies.identity, coding);
    // The cache measures an entry only when it is a new object.
    this.keep({ ...app, bodies: { ...app.bodies, [coding]: body } });
    return body;
  }
}

/** A body in memory of its own: a small buffer of Node's keeps the pool whole that it is a part of. */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function bytesOf({ bodies }: KeptApp): number {
  return entryBytes + bodies.identity.length + (bodies.gzip?.length ?? 0);
}

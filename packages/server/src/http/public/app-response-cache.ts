import { type ContentCoding, encode } from '../body/content-coding.ts';

/** The answer to Get App as it was at one revision, in the codings that were asked for. */
export interface KeptApp {
  id: string;
  revision: number;
  /** Names the answer, without its coding. */
  tag: string;
  bodies: { identity: Buffer } & Partial<Record<ContentCoding, Buffer>>;
}

/** What one takes beside its bytes, about. */
const objectsBytes = 500;

/**
 * Answers that may be sent again while their app is at the same revision: of each app the last one, in no more than so
 * many bytes together. Those asked for last stay.
 */
export class AppResponseCache {
  readonly #bytesMax: number;
  /** In the order of their last use. */
  readonly #apps = new Map<string, { app: KeptApp; bytes: number }>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  find(id: string, revision: number): KeptApp | undefined {
    const kept = this.#apps.get(id);
    if (kept?.app.revision !== revision) return undefined;
    this.#apps.delete(id);
    this.#apps.set(id, kept);
    return kept.app;
  }

  keep(app: KeptApp): void {
    const before = this.#apps.get(app.id);
    // It was read earlier, and its reader has waited longer.
    if (before && before.app.revision > app.revision) return;
    this.#drop(app.id);
    const bytes = bytesOf(app);
    this.#apps.set(app.id, { app, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#bytesMax) this.#drop(this.#apps.keys().next().value as string);
  }

  /** The body in a coding, which is kept too. */
  async encode(app: KeptApp, coding: ContentCoding): Promise<Buffer> {
    const body = await encode(app.bodies.identity, coding);
    app.bodies[coding] = body;
    this.keep(app);
    return body;
  }

  #drop(id: string): void {
    this.#bytes -= this.#apps.get(id)?.bytes ?? 0;
    this.#apps.delete(id);
  }
}

/** A body in memory of its own: a small buffer of Node's keeps the pool whole that it is a part of. */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function bytesOf({ bodies }: KeptApp): number {
  return objectsBytes + bodies.identity.length + (bodies.gzip?.length ?? 0);
}

/** 40 to 60 bytes each. Of later objects the lines are unknown. */
const objectsMax = 4_000_000;

/** Where an object was read. */
export interface Place {
  file?: string;
  line: number;
}

/**
 * The objects that an import has read, each with its first line and whether it was refused. Identifies them by 64 bits of
 * a hash, because their ids would take twice the memory.
 */
export class ImportedObjects {
  /** By the hash of an id: the line, negative if the object was refused. */
  readonly #lines = new Map<bigint, number>();
  /** By the kind of object: the file that has these objects, if the import reads several. */
  readonly #files = new Map<string, string>();

  /** Records where an object was read. Returns the line of the same object that was read before; undefined if it is new. */
  add(id: string, { file, line }: Place): number | undefined {
    if (file !== undefined) this.#files.set(idKind(id), file);
    const key = hashKey(id);
    const known = this.#lines.get(key);
    if (known !== undefined) return Math.abs(known);
    if (this.#lines.size < objectsMax) this.#lines.set(key, line);
    return undefined;
  }

  /** The line on which an object was read; undefined if it is not of this import. */
  placeOf(id: string): Place | undefined {
    const line = this.#lines.get(hashKey(id));
    if (line === undefined) return undefined;
    const file = this.#files.get(idKind(id));
    return { ...(file !== undefined && { file }), line: Math.abs(line) };
  }

  markRefused(id: string): void {
    const key = hashKey(id);
    const known = this.#lines.get(key);
    if (known !== undefined) this.#lines.set(key, -Math.abs(known));
  }

  /** Whether an object was refused, or may have been. */
  isRefused(id: string): boolean {
    const known = this.#lines.get(hashKey(id));
    return known === undefined ? this.#lines.size >= objectsMax : known < 0;
  }
}

/** 64 bits of cyrb53, which is not cryptographic: a file that is made to collide only harms its own import. */
function hashKey(id: string): bigint {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < id.length; at += 1) {
    const unit = id.charCodeAt(at);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  const mixed = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  const other = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(mixed ^ (mixed >>> 13), 3_266_489_909);
  return (BigInt(mixed >>> 0) << 32n) | BigInt(other >>> 0);
}

/** The prefix of its id; an installation is known by its app and workspace. */
function idKind(id: string): string {
  return id.includes(' ') ? 'installation' : id.slice(0, id.lastIndexOf('_'));
}

/** 16 to 32 bytes each. Of later objects the lines are unknown. */
const objectsMax = 4_000_000;
const refusedBit = 0x8000_0000;
const lineBits = 0x7fff_ffff;

/** Where an object was read. */
export interface Place {
  file?: string;
  line: number;
}

/**
 * The objects that an import has read, each with its first line and whether it was refused. Identifies them by 64 bits of
 * a hash, because their ids would take ten times the memory.
 */
export class ImportedObjects {
  #keys = new Uint32Array(2 * 4_096);
  /** By slot: the line, and whether the object was refused; 0 if the slot is free. */
  #lines = new Uint32Array(4_096);
  #size = 0;
  /** By the kind of object: the file that has these objects, if the import reads several. */
  readonly #files = new Map<string, string>();

  /** Records where an object was read. Returns the line of the same object that was read before; undefined if it is new. */
  add(id: string, { file, line }: Place): number | undefined {
    if (file !== undefined) this.#files.set(idKind(id), file);
    const slot = this.#slotOf(id);
    const known = this.#lines[slot] ?? 0;
    if (known !== 0) return known & lineBits;
    if (this.#size >= objectsMax) return undefined;
    this.#store(slot, id, line);
    return undefined;
  }

  /** The line on which an object was read; undefined if it is not of this import. */
  placeOf(id: string): Place | undefined {
    const line = (this.#lines[this.#slotOf(id)] ?? 0) & lineBits;
    if (line === 0) return undefined;
    const file = this.#files.get(idKind(id));
    return { ...(file !== undefined && { file }), line };
  }

  markRefused(id: string): void {
    const slot = this.#slotOf(id);
    const known = this.#lines[slot] ?? 0;
    if (known !== 0) this.#lines[slot] = known | refusedBit;
  }

  /** Whether an object was refused, or may have been. */
  isRefused(id: string): boolean {
    const known = this.#lines[this.#slotOf(id)] ?? 0;
    return known === 0 ? this.#size >= objectsMax : (known & refusedBit) !== 0;
  }

  #store(slot: number, id: string, line: number): void {
    const [high, low] = hashKey(id);
    this.#keys[2 * slot] = high;
    this.#keys[2 * slot + 1] = low;
    this.#lines[slot] = line & lineBits;
    this.#size += 1;
    if (this.#size * 4 > this.#lines.length * 3) this.#grow();
  }

  /** The slot of an object, or the free one for it. */
  #slotOf(id: string): number {
    const [high, low] = hashKey(id);
    return slotIn(this.#keys, this.#lines, [high, low]);
  }

  #grow(): void {
    const [keys, lines] = [this.#keys, this.#lines];
    this.#keys = new Uint32Array(2 * keys.length);
    this.#lines = new Uint32Array(2 * lines.length);
    for (const [slot, line] of lines.entries()) {
      if (line === 0) continue;
      const key: [number, number] = [keys[2 * slot] ?? 0, keys[2 * slot + 1] ?? 0];
      const moved = slotIn(this.#keys, this.#lines, key);
      this.#keys.set(key, 2 * moved);
      this.#lines[moved] = line;
    }
  }
}

function slotIn(keys: Uint32Array, lines: Uint32Array, [high, low]: [number, number]): number {
  const mask = lines.length - 1;
  let slot = low & mask;
  while (lines[slot] !== 0 && (keys[2 * slot] !== high || keys[2 * slot + 1] !== low)) slot = (slot + 1) & mask;
  return slot;
}

/** 64 bits of cyrb53, which is not cryptographic: a file that is made to collide only harms its own import. */
function hashKey(id: string): [high: number, low: number] {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < id.length; at += 1) {
    const unit = id.charCodeAt(at);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  const mixed = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  const other = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(mixed ^ (mixed >>> 13), 3_266_489_909);
  return [mixed >>> 0, other >>> 0];
}

/** The prefix of its id; an installation is known by its app and workspace. */
function idKind(id: string): string {
  return id.includes(' ') ? 'installation' : id.slice(0, id.lastIndexOf('_'));
}

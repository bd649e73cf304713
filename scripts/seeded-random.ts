/** Pseudorandom numbers, the same for the same seed (sfc32, by Chris Doty-Humphrey). */
export class SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** Each topic of a seed has its own sequence, so that one part can change independently of others. */
  constructor(seed: number, topic: string, index = 0) {
    this.#a = seed | 0;
    this.#b = [...topic].reduce((hash, character) => Math.imul(hash, 31) + (character.codePointAt(0) ?? 0), 7) | 0;
    this.#c = index | 0;
    for (let warmUp = 0; warmUp < 15; warmUp += 1) this.bits32();
  }

  /** An unsigned integer of 32 bits. */
  bits32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** At least 0 and below 1. */
  fraction(): number {
    return this.bits32() / 2 ** 32;
  }

  /** An integer between two bounds, inclusive. */
  between(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.between(0, choices.length - 1)] ?? choices[0];
  }

  /** A UUIDv7 (RFC 9562) of this time. */
  uuid(ms: number): string {
    const time = ms.toString(16).padStart(12, '0');
    const hex = Array.from({ length: 3 }, () => this.bits32().toString(16).padStart(8, '0')).join('');
    const variant = (8 + this.between(0, 3)).toString(16);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-${variant}${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
  }
}

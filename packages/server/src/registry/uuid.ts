import { randomFillSync } from 'node:crypto';
import { type UUID, V7Generator } from 'uuidv7';

/** Random words, taken from the system many at a time: to ask for those of each id takes as long as all the rest of it. */
const words = new Uint32Array(1_024);
let used = words.length;

const generator = new V7Generator({
  nextUint32() {
    if (used === words.length) {
      randomFillSync(words);
      used = 0;
    }
    return words[used++] as number;
  },
});

/** A new UUIDv7 (RFC 9562), greater than those that this process has made before. */
export function newUuid(): UUID {
  return generator.generate();
}

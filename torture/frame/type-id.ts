import type { SeededRandom } from '../../scripts/seeded-random.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** A TypeID of a kind, whose UUIDv7 has the time of now. */
export function typeId(prefix: string, random: SeededRandom): string {
  let bits = BigInt(`0x${random.uuid(Date.now()).replaceAll('-', '')}`);
  let suffix = '';
  for (let at = 0; at < 26; at += 1) {
    suffix = alphabet[Number(bits & 31n)] + suffix;
    bits >>= 5n;
  }
  return `${prefix}_${suffix}`;
}

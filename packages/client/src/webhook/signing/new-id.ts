const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** An id in the notation of the registry. */
export function newId(prefix: string): string {
  const random = Array.from(crypto.getRandomValues(new Uint8Array(25)), (byte) => alphabet[byte % alphabet.length]);
  return `${prefix}_0${random.join('')}`;
}

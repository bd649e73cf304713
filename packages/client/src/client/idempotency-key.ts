/** A new `Idempotency-Key`. Not `randomUUID`, which browsers provide only over `https:`. */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

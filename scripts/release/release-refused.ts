/** A release that cannot be made as requested. The message says why, and what to do. */
export class ReleaseRefused extends Error {
  override readonly name = 'ReleaseRefused';
}

/**
 * Archiving or restoring events is refused, or a file is not an archive of this registry. The message says what to do.
 */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}

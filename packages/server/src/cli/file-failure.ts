/** A file that was named on the command line cannot be read. */
export class CannotRead extends Error {
  override readonly name = 'CannotRead';
}

/** A file that was named on the command line cannot be made. */
export class CannotWrite extends Error {
  override readonly name = 'CannotWrite';
}

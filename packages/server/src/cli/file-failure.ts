/** A file named on the command line cannot be read. */
export class CannotRead extends Error {
  override readonly name = 'CannotRead';
}

/** A file named on the command line cannot be created. */
export class CannotWrite extends Error {
  override readonly name = 'CannotWrite';
}

/** The code of a system error, such as `ENOENT`; the text of any other error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

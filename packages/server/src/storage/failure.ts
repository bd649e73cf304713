/** The database cannot do it now. Nothing of the work is stored. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

/** The connection was lost, or the disk failed, while a commit was under way: the work may be stored or not. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}

/** The database cannot be used by this program, and why. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
}

/** A row with the same value is there already; the constraint is named `{table}_{columns}`, or `{table}_pkey`. */
export class NotUnique extends Error {
  override readonly name = 'NotUnique';
  readonly constraint: string;

  constructor(constraint: string, cause: unknown) {
    super(`not unique: ${constraint}`, { cause });
    this.constraint = constraint;
  }
}

/** A backup cannot be made, or not be restored, and why. Nothing was changed. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

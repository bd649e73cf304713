import type { AppRow } from '../../storage/tables.ts';
import { Failure } from '../failure.ts';

/** At which revisions of an app's content a change is made. */
export interface RevisionCondition {
  /** Only at these, which the caller may have seen; absent: at any. */
  ifRevision?: readonly number[] | undefined;
  /** Not at these. */
  unlessRevision?: readonly number[] | 'any' | undefined;
}

/** A refusal with `precondition_failed`. */
export class RevisionMismatch extends Failure {
  /** The current one. */
  readonly revision: number;

  constructor({ revision }: AppRow, detail: string) {
    super('precondition_failed', detail);
    this.revision = revision;
  }
}

/** Refuses an app at another revision with `precondition_failed`. */
export function requireRevision(app: AppRow, { ifRevision, unlessRevision = [] }: RevisionCondition): void {
  if (ifRevision && !ifRevision.includes(app.revision)) {
    throw new RevisionMismatch(
      app,
      'The app has changed since it was read. Read it again, and apply the update to the current version.',
    );
  }
  if (unlessRevision === 'any' || unlessRevision.includes(app.revision)) {
    throw new RevisionMismatch(app, 'The app is still at a revision that If-None-Match excludes. Nothing was changed.');
  }
}

import { Failure } from '../../kernel/failure.ts';
import type { Registry } from '../../kernel/registry.ts';
import { isNamed, type RevisionName, revisionETag } from '../../kernel/revision.ts';
import type { AppRow } from '../../storage/tables.ts';

/** The revisions of an app's content at which a change may be made. */
export interface RevisionCondition {
  /** Only these, which the caller may have seen; if absent, any. */
  ifRevision?: readonly RevisionName[] | undefined;
  /** None of these. */
  unlessRevision?: readonly RevisionName[] | 'any' | undefined;
}

/** A refusal with `precondition_failed`. */
export class RevisionMismatch extends Failure {
  /** The `ETag` of the current revision. */
  readonly etag: string;

  constructor(registry: Registry, app: AppRow, detail: string) {
    super('precondition_failed', detail);
    this.etag = revisionETag(registry, app);
  }
}

/** Refuses an app at another revision with `precondition_failed`. */
export function requireRevision(
  registry: Registry,
  app: AppRow,
  { ifRevision, unlessRevision = [] }: RevisionCondition,
): void {
  if (ifRevision && !isNamed(registry, app, ifRevision)) {
    throw new RevisionMismatch(
      registry,
      app,
      'The app has changed since it was read. Read it again, and apply the update to the current version.',
    );
  }
  if (unlessRevision === 'any' || isNamed(registry, app, unlessRevision)) {
    throw new RevisionMismatch(
      registry,
      app,
      'The app is still at a revision that If-None-Match excludes. Nothing was changed.',
    );
  }
}

import type { AppRow } from '../../../../storage/tables.ts';
import type { ContentIdentity } from './identities.ts';
import type { ReviewWarning } from './review-warning.ts';

/** A current name or host of an app, which is compared with those of others. */
export interface AppIdentity extends ContentIdentity {
  app: AppRow;
}

/** A warning and the app that it is about. */
export interface AppWarning {
  app: AppRow;
  warning: ReviewWarning;
}

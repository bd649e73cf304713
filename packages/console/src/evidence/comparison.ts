import type { OperatorApp } from '@appregistrar/client/operator';
import {
  type AppContentField,
  appContentFields,
  type ContentKind,
  type ContentPath,
  contentValue,
} from '../../../server/src/features/apps/app-content.ts';

/** The content that a developer edits and a reviewer decides on. */
export type Content = Pick<OperatorApp, 'name' | 'logoId' | 'listingInfo' | 'oauthInfo'>;

/** One field of the content, as it is now and as it was earlier. Undefined where it is or was empty. */
export interface ComparedField {
  path: ContentPath;
  label: string;
  kind: ContentKind;
  isOnCard: boolean;
  now: string | undefined;
  earlier: string | undefined;
  /** Undefined if nothing has changed or there is nothing to compare with. */
  change: 'added' | 'removed' | 'changed' | undefined;
}

/** The fields of the content in their usual order, beside what they were earlier, if that is given. */
export function compareContent(now: Content, earlier: Content | undefined): ComparedField[] {
  return appContentFields.map((field) => {
    const values = { now: valueIn(now, field), earlier: earlier && valueIn(earlier, field) };
    const change = earlier && changeOf(values);
    const { path, label, kind, isOnCard } = field;
    return { path, label, kind, isOnCard, ...values, change };
  });
}

function changeOf({ now, earlier }: Pick<ComparedField, 'now' | 'earlier'>): ComparedField['change'] {
  if (now === earlier) return undefined;
  if (earlier === undefined) return 'added';
  return now === undefined ? 'removed' : 'changed';
}

function valueIn({ name, logoId, listingInfo, oauthInfo }: Content, field: AppContentField): string | undefined {
  return (
    contentValue({ name, logoId, listingInfo: { ...listingInfo }, oauthInfo: { ...oauthInfo } }, field) ?? undefined
  );
}

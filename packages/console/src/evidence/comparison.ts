import type { OperatorApp } from '@appregistrar/client/operator';
import {
  type AppContentField,
  appContentFields,
  type ContentPath,
  contentValue,
} from '../../../server/src/contract/app-content-fields.ts';

/** The content that a developer edits and a reviewer decides on. */
export type Content = Pick<OperatorApp, 'name' | 'logoId' | 'listingInfo' | 'oauthInfo'>;

/** One field of the content, as it is now and as it was earlier. Undefined where it is or was empty. */
export interface ComparedField {
  path: ContentPath;
  label: string;
  kind: FieldKind;
  now: string | undefined;
  earlier: string | undefined;
  /** Undefined if nothing has changed or there is nothing to compare with. */
  change: 'added' | 'removed' | 'changed' | undefined;
}

/** How a value is shown. */
export type FieldKind = 'name' | 'text' | 'logo' | 'colour' | 'address';

/** The fields of the content in their usual order, beside what they were earlier, if that is given. */
export function compareContent(now: Content, earlier: Content | undefined): ComparedField[] {
  return appContentFields.map((field) => {
    const values = { now: valueIn(now, field), earlier: earlier && valueIn(earlier, field) };
    const change = earlier && changeOf(values);
    return { path: field.path, label: field.label, kind: kindOf(field), ...values, change };
  });
}

function changeOf({ now, earlier }: Pick<ComparedField, 'now' | 'earlier'>): ComparedField['change'] {
  if (now === earlier) return undefined;
  if (earlier === undefined) return 'added';
  return now === undefined ? 'removed' : 'changed';
}

function kindOf({ schema }: AppContentField): FieldKind {
  if (schema === 'Name') return 'name';
  if (schema === 'LogoId') return 'logo';
  if (schema === 'BackgroundColor') return 'colour';
  return schema === 'LoginUrl' || schema === 'CallbackUrl' ? 'address' : 'text';
}

function valueIn({ name, logoId, listingInfo, oauthInfo }: Content, field: AppContentField): string | undefined {
  return (
    contentValue({ name, logoId, listingInfo: { ...listingInfo }, oauthInfo: { ...oauthInfo } }, field) ?? undefined
  );
}

import type { AppContent, AppIdentityRow, AppRow } from '../../../../storage/tables.ts';
import { appContentFields } from '../../app-content-fields.ts';
import { readableApprovedContent } from '../../content-snapshot.ts';
import { approvedInEffect } from '../../effective-content.ts';
import { nameKey } from '../../name-key.ts';
import { type Host, hostKey, hostOf } from './hosts.ts';
import type { ReviewWarning } from './review-warning.ts';
import { caselessSkeleton } from './skeleton.ts';

/** The fields by which apps are found and compared. */
export const comparedFields = appContentFields.filter((field) => field.comparedAs !== null);

/** A name or host, and what it is compared by. */
export interface Identity extends Pick<AppIdentityRow, 'kind' | 'value' | 'skeleton'> {
  /** The name as it is, or the host as people read it. */
  text: string;
}

/** A name or host in the content of an app. */
export interface ContentIdentity extends Identity {
  field: (typeof comparedFields)[number];
}

/** A current name or host of an app, which is compared with those of others. */
export interface AppIdentity extends ContentIdentity {
  app: AppRow;
}

/** A warning and the app that it is about. */
export interface AppWarning {
  app: AppRow;
  warning: ReviewWarning;
}

/** A name or URL of an app. */
interface ComparedText extends Pick<AppIdentityRow, 'source'> {
  field: ContentIdentity['field'];
  text: string;
}

/** The names and hosts by which an app is found and compared. */
export function identityRowsOf(app: AppRow): AppIdentityRow[] {
  return comparedTextsOf(app).flatMap(({ source, field, text }) => {
    const identity = identityOf(field, text);
    return identity ? [toRow(app, source, { field, ...identity })] : [];
  });
}

/**
 * What they are made from, at a fraction of the cost: the names and URLs of its approved content that are in effect, and the
 * current ones that differ from them. An APPROVED app without a snapshot was approved as it is.
 */
export function comparedTextsOf(app: AppRow): ComparedText[] {
  const known = readableApprovedContent(app) && approvedInEffect(app);
  const approved = known ?? (app.review_status === 'APPROVED' ? app : null);
  const changed = comparedFields.filter(({ column }) => app[column] !== approved?.[column]);
  return [...(approved ? textsIn(approved, 'approved', comparedFields) : []), ...textsIn(app, 'current', changed)];
}

/** The names and hosts of an app's current content. */
export function identitiesIn(content: AppContent): ContentIdentity[] {
  return textsIn(content, 'current', comparedFields).flatMap(({ field, text }) => {
    const identity = identityOf(field, text);
    return identity ? [{ field, ...identity }] : [];
  });
}

function textsIn(content: AppContent, source: ComparedText['source'], fields: ComparedText['field'][]): ComparedText[] {
  return fields.flatMap((field) => {
    const text = content[field.column];
    return text === null ? [] : [{ source, field, text }];
  });
}

function identityOf({ comparedAs }: ContentIdentity['field'], text: string): Identity | null {
  return comparedAs === 'name' ? nameIdentity(text) : urlIdentity(text);
}

export function nameIdentity(name: string): Identity {
  return { kind: 'name', text: name, value: nameKey(name), skeleton: caselessSkeleton(name) };
}

/** The skeleton is that of the host as people read it, with its labels in the order of the key. */
export function hostIdentity(host: Host): Identity {
  const skeleton = caselessSkeleton(hostKey({ ...host, name: host.unicode }));
  return { kind: 'host', text: host.unicode, value: hostKey(host), skeleton };
}

function urlIdentity(url: string): Identity | null {
  const host = hostOf(url);
  return host && hostIdentity(host);
}

function toRow(
  { id }: AppRow,
  source: AppIdentityRow['source'],
  { field, kind, value, skeleton }: ContentIdentity,
): AppIdentityRow {
  return { app_id: id, source, field: field.column, kind, value, skeleton };
}

import { appContentFields } from '../../../contract/app-content-fields.ts';
import type { AppContent, AppIdentityRow, AppRow } from '../../../storage/tables.ts';
import { approvedInEffect } from '../../apps/effective-content.ts';
import { nameKey } from '../../apps/name-key.ts';
import { type Host, hostKey, hostOf } from './hosts.ts';
import { caselessSkeleton } from './skeleton.ts';

/** The fields by which apps are found and compared. */
export const comparedFields = appContentFields.filter((field) => 'comparedAs' in field);

type Keys = Pick<AppIdentityRow, 'value' | 'skeleton'>;

/**
 * The names and hosts by which an app is found and compared: those of its approved content that are in effect, and the
 * current ones that differ from them. An APPROVED app without a snapshot was approved as it is.
 */
export function identitiesOf(app: AppRow): AppIdentityRow[] {
  const approved = approvedInEffect(app) ?? (app.review_status === 'APPROVED' ? app : null);
  const changed = comparedFields.filter(({ column }) => app[column] !== approved?.[column]);
  return [
    ...(approved ? identitiesIn(approved, comparedFields, { app_id: app.id, source: 'approved' }) : []),
    ...identitiesIn(app, changed, { app_id: app.id, source: 'current' }),
  ];
}

function identitiesIn(
  content: AppContent,
  fields: typeof comparedFields,
  of: Pick<AppIdentityRow, 'app_id' | 'source'>,
): AppIdentityRow[] {
  return fields.flatMap(({ column, comparedAs: kind }) => {
    const text = content[column];
    const keys = text === null ? null : kind === 'name' ? nameKeys(text) : urlKeys(text);
    return keys ? [{ ...of, field: column, kind, ...keys }] : [];
  });
}

export function nameKeys(name: string): Keys {
  return { value: nameKey(name), skeleton: caselessSkeleton(name) };
}

/** The skeleton is that of the host as people read it, with its labels in the order of the key. */
export function hostKeys(host: Host): Keys {
  return { value: hostKey(host), skeleton: caselessSkeleton(hostKey({ ...host, name: host.unicode })) };
}

/** None for a URL of an older release that has no host. */
function urlKeys(url: string): Keys | null {
  const host = hostOf(url);
  return host && hostKeys(host);
}

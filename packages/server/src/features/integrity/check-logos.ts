import type { Snapshot } from '../../storage/snapshot.ts';
import type { AppRow, DeletedAppRow } from '../../storage/tables.ts';
import { readableApprovedContent } from '../apps/content-snapshot.ts';
import { readDeletedApp } from './check-deleted-app.ts';
import type { Finding } from './check-row.ts';
import { streamOwnersOfLogos } from './invariant-queries.ts';

interface ShownLogo {
  id: string;
  developerId: string;
  /** To the column that refers to it. */
  pointer: string;
}

/** The findings about logos of apps and of their approved content: missing, or another developer's. */
export function shownLogoFindings(snapshot: Snapshot, apps: AppRow[]): Promise<Finding[]> {
  return unusable(
    snapshot,
    apps.flatMap((row) => logosOf(row, `/apps/${row.id}`)),
  );
}

/** The same for deleted apps. */
export function deletedLogoFindings(snapshot: Snapshot, deleted: DeletedAppRow[]): Promise<Finding[]> {
  return unusable(
    snapshot,
    deleted.flatMap((row) => logosOf(readDeletedApp(row), `/deleted_apps/${row.id}/row`)),
  );
}

function logosOf(app: AppRow | null, at: string): ShownLogo[] {
  if (!app) return [];
  const logos: [id: string | null | undefined, pointer: string][] = [
    [app.logo_id, `${at}/logo_id`],
    [readableApprovedContent(app)?.logo_id, `${at}/approved_content/logo_id`],
  ];
  return logos.flatMap(([id, pointer]) => (id ? [{ id, developerId: app.developer_id, pointer }] : []));
}

async function unusable(snapshot: Snapshot, logos: ShownLogo[]): Promise<Finding[]> {
  if (logos.length === 0) return [];
  const owners = new Map<string, string>();
  for await (const rows of streamOwnersOfLogos(snapshot, [...new Set(logos.map(({ id }) => id))])) {
    for (const row of rows) owners.set(row.id, row.developer_id);
  }
  return logos
    .filter(({ id, developerId }) => owners.get(id) !== developerId)
    .map(({ id, pointer }) =>
      owners.has(id)
        ? { pointer, code: 'not_allowed', detail: 'The logo belongs to another developer.' }
        : { pointer, code: 'not_found', detail: 'The logo is missing.' },
    );
}

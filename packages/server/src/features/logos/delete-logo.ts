import { Failure } from '../../kernel/failure.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { appendEvent } from '../events/append-event.ts';
import { lockLogo } from './lock-logo.ts';
import type { Logo } from './logo.ts';
import { deleteLogo as deleteLogoRow, listAppsWithLogo } from './logo-queries.ts';
import { logoView } from './logo-view.ts';

const listedMax = 10;

/**
 * Deletes a logo that no app uses, in its current or approved content, deleted apps included (decision 28d). Revisions of
 * the history may still name it: they cannot be brought back. Refuses with `logo_not_found` or `logo_in_use`.
 */
export async function deleteLogo(registry: Registry, caller: Caller, id: string): Promise<Logo> {
  const row = await registry.storage.write(async (transaction) => {
    const logo = await lockLogo(transaction, id);
    const apps = await listAppsWithLogo(transaction, { id, developerId: logo.developer_id, limit: listedMax + 1 });
    if (apps.length > 0) throw logoInUse(apps.map((app) => app.id));
    await deleteLogoRow(transaction, { id });
    const before = { developerId: logo.developer_id };
    await appendEvent(transaction, { caller, at: registry.now(), type: 'logo.deleted', subjectId: id, before });
    return logo;
  });
  return logoView(registry, row);
}

function logoInUse(appIds: string[]): Failure {
  const listed = appIds.slice(0, listedMax).join(', ');
  const others = appIds.length > listedMax ? ' and others' : '';
  return new Failure(
    'logo_in_use',
    `The logo is used by ${listed}${others}. Give these apps another logo, and have the change approved where the logo is approved; a deleted app uses its logo until it is purged. To stop showing the image at once, block the logo.`,
  );
}

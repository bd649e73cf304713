import { Failure, requireValid, throwIfInvalid } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import { PlatformIds } from '../../kernel/platform-id.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { newId } from '../../kernel/type-id.ts';
import type { AppRow } from '../../storage/tables.ts';
import { appendEvent } from '../events/append-event.ts';
import { mark } from '../search/projections.ts';
import { settingsDuring } from '../settings/settings.ts';
import { findDeveloperDuring, suspendedColumns } from '../suspension/suspended-developer.ts';
import { contentData, contentOf, requireOwnLogo } from './app-content.ts';
import { revisionData } from './app-event-data.ts';
import { insertApp } from './app-queries.ts';
import { NewApp } from './app-update.ts';
import { operatorView } from './app-view.ts';
import { orNameTaken } from './change-app-content.ts';
import { nameKey } from './name-key.ts';
import { firstRevision } from './next-revision.ts';
import type { OperatorApp } from './operator-app.ts';
import { withNameClaim } from './unique-names.ts';

/**
 * Creates an app as a DRAFT of one developer. Refuses with `invalid_content`, `developer_not_found`
 * or `name_taken`.
 */
export async function createApp(registry: Registry, caller: Caller, input: unknown): Promise<OperatorApp> {
  const given = requireValid(NewApp, input);
  const ids = new PlatformIds();
  const developerId = ids.read(given.developerId, registry.userIdPrefix, '/developerId');
  throwIfInvalid(ids.errors);

  const draft = newAppRow(registry, { id: newId('app'), developerId, content: contentOf(given) });
  try {
    return await writeIdempotently<OperatorApp>(registry, caller, {
      content: ['createApp', given],
      work: async (transaction) => {
        const claiming = withNameClaim(draft, await settingsDuring(transaction));
        const developer = await findDeveloperDuring(transaction, developerId);
        if (!developer) throw developerNotFound(developerId);
        const row =
          developer.suspended_at === null ? claiming : { ...claiming, ...suspendedColumns(claiming, developer) };
        await requireOwnLogo(transaction, row.logo_id, developerId);
        await insertApp(transaction, row);
        await mark(transaction, row.id);
        await appendEvent(transaction, {
          caller,
          at: row.created_at,
          type: 'app.created',
          appId: row.id,
          subjectId: row.id,
          after: { developerId, ...revisionData(row), ...contentData(row) },
        });
        return operatorView(registry, row, 'live');
      },
    });
  } catch (error) {
    throw orNameTaken(error);
  }
}

/** The row of a new app: a draft at revision 1, without installations and without a claim on its name. */
export function newAppRow(
  registry: Registry,
  { id, developerId, content }: { id: string; developerId: string; content: ReturnType<typeof contentOf> },
): AppRow {
  const key = nameKey(content.name);
  const at = registry.now();
  return {
    ...content,
    id,
    developer_id: developerId,
    name_key: key,
    name_claim: null,
    review_status: 'DRAFT',
    rejection_reason: null,
    approved_content: null,
    approved_revision: null,
    approved_revision_stamp: null,
    approved_name_key: null,
    withdrawn: null,
    change_since: 0,
    transfer_since: 0,
    waiting_since: 0,
    suspended_status: null,
    installation_count: 0,
    ...firstRevision(),
    submitted_at: 0,
    created_at: at,
    updated_at: at,
    shown_at: 0,
  };
}

export function developerNotFound(userId: string): Failure {
  return new Failure(
    'developer_not_found',
    `No developer has the user id ${userId}. Create the developer first, or check the id.`,
  );
}

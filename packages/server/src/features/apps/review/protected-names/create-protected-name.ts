import { Failure, requireValid, throwIfInvalid } from '../../../../kernel/failure.ts';
import { writeIdempotently } from '../../../../kernel/idempotency.ts';
import { PlatformIds } from '../../../../kernel/platform-id.ts';
import type { ValidationError } from '../../../../kernel/problem-details.ts';
import type { Caller, Registry } from '../../../../kernel/registry.ts';
import { newId } from '../../../../kernel/type-id.ts';
import type { ProtectedNameRow } from '../../../../storage/tables.ts';
import { appendEvent } from '../../../events/append-event.ts';
import { notAHost, readHost } from '../warnings/hosts.ts';
import { protectedKey } from '../warnings/protected-keys.ts';
import { NewProtectedName, type ProtectedName } from './protected-name.ts';
import { findProtectedNameByKey } from './protected-name-queries.ts';
import { protectedNameData, protectedNameView } from './protected-name-view.ts';

/**
 * Protects a name or a host: the review queue warns of its use by any other developer. Refuses with `invalid_content`,
 * or with `already_exists` when it, or one that looks like it, is already protected.
 */
export async function createProtectedName(registry: Registry, caller: Caller, input: unknown): Promise<ProtectedName> {
  const given = requireValid(NewProtectedName, input);
  const row = toRow(registry, given);
  return writeIdempotently(registry, caller, {
    content: ['createProtectedName', given],
    work: async (transaction) => {
      const refused = await transaction.insertNew('protected_names', [row]);
      if (refused.length > 0) throw alreadyProtected(await findProtectedNameByKey(transaction, row));
      const after = protectedNameData(row);
      const event = { type: 'protected_name.created', subjectId: row.id, after } as const;
      await appendEvent(transaction, { caller, at: row.created_at, ...event });
      return protectedNameView(row);
    },
  });
}

function toRow(registry: Registry, given: NewProtectedName): ProtectedNameRow {
  const ids = new PlatformIds();
  const { developerIds = [], note = null } = given;
  const allowed = developerIds.map((id, at) => ids.read(id, registry.userIdPrefix, `/developerIds/${at}`));
  const { errors, ...compared } = readProtected(given);
  throwIfInvalid([...errors, ...ids.errors]);
  const developer_ids = JSON.stringify([...new Set(allowed)]);
  return {
    id: newId('protected'),
    ...compared,
    key: protectedKey(compared),
    developer_ids,
    note,
    created_at: registry.now(),
  };
}

type Protected = Pick<ProtectedNameRow, 'kind' | 'value'> & { errors: ValidationError[] };

/** Meaningless if there are errors. */
function readProtected({ name, host: text }: NewProtectedName): Protected {
  if ((name === undefined) === (text === undefined)) {
    const detail = 'Give either a name or a host.';
    return { kind: 'name', value: '', errors: [{ pointer: '', code: 'required', detail }] };
  }
  if (name !== undefined) return { kind: 'name', value: name, errors: [] };
  const host = readHost(text ?? '');
  return { kind: 'host', value: host?.name ?? '', errors: host ? [] : [notAHost('/host')] };
}

function alreadyProtected(existing: ProtectedNameRow | null): Failure {
  const by = existing ? `: ${JSON.stringify(existing.value)}, as ${existing.id}` : '';
  return new Failure(
    'already_exists',
    `This value, or one that looks like it, is already protected${by}. To change its protection, remove that entry first.`,
  );
}

import type { Registry } from '../../../kernel/registry.ts';
import { toTypeId } from '../../../kernel/type-id.ts';
import { uuidV5 } from '../../../kernel/uuid.ts';
import type { IdKind } from './import-fields.ts';

/**
 * The id of a cell: a TypeID or a UUID as it is. Any other id becomes the UUIDv5 whose name is the kind of the object, a
 * colon and the cell, such as `app:42`, so that the platform can compute it. Null without a namespace.
 */
export function readLegacyId(
  registry: Registry,
  cell: string,
  { id, idKind = id, namespace }: { id: IdKind; idKind?: string | undefined; namespace: string | undefined },
): string | null {
  if (toTypeId(cell, prefixOf(registry, id)) !== null) return cell;
  return namespace === undefined ? null : uuidV5(namespace, `${idKind}:${cell}`);
}

export function prefixOf(registry: Registry, id: IdKind): string {
  if (id === 'user') return registry.userIdPrefix;
  return id === 'workspace' ? registry.workspaceIdPrefix : id;
}

import { claimApp as claim, releaseApp as release } from '../../../server/src/features/apps/review/review-claims.ts';
import {
  createNote as create,
  listNotes as list,
  deleteNote as remove,
} from '../../../server/src/features/apps/review/review-notes.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { type Caller, commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

export function claimApp(
  registry: Registry,
  caller: Caller,
  { appId, claim: body }: { appId: string; claim: unknown },
) {
  return runOperation(claim, registry, { caller, params: { id: appId }, body });
}

export function releaseApp(registry: Registry, caller: Caller, id: string) {
  return runOperation(release, registry, { caller, params: { id } });
}

export function listNotes(registry: Registry, { appId, query }: { appId: string; query: object }) {
  return runOperation(list, registry, { caller: commandLine, params: { id: appId }, query: { ...query } });
}

export function createNote(
  registry: Registry,
  caller: Caller,
  { appId, note: body }: { appId: string; note: unknown },
) {
  return runOperation(create, registry, { caller, params: { id: appId }, body });
}

/** With `ofAnyone` as a caller who may delete the notes of others too. */
export function deleteNote(
  registry: Registry,
  caller: Caller,
  { appId, noteId, ofAnyone }: { appId: string; noteId: string; ofAnyone: boolean },
) {
  const scopes = [ofAnyone ? ('admin' as const) : ('review' as const)];
  return runOperation(remove, registry, { caller, scopes, params: { id: appId, noteId } });
}

import {
  type AppAsRead,
  AppRegistryError,
  type AppUpdate,
  PreconditionFailedError,
  UnprocessableContentError,
} from '@appregistrar/client';
import type { Session } from '../web/sign-in.ts';
import { changedPaths, labelsOf, pathOf, updateOf, type Values, valuesOf } from './fields.ts';
import { clientOf } from './own-app.ts';

/** The app that the form was rendered with, and the values that it sent. */
export interface Edit {
  base: AppAsRead;
  after: Values;
  logoId?: string | undefined;
}

/** Either the update is saved, with the fields that were merged, or there are messages to show. */
export type Outcome =
  | { isSaved: true; merged: string[] }
  | { isSaved: false; message: string; messages: Values; isConflict: boolean };

/** Updates an app with the developer's token. If it has changed since, the update is merged where no field is in both. */
export async function save(session: Session, id: string, edit: Edit): Promise<Outcome> {
  const update: AppUpdate = updateOf(valuesOf(edit.base.data), edit.after);
  if (edit.logoId !== undefined) update.logoId = edit.logoId;
  try {
    const view = await clientOf(session).apps.update(id, update, { onConflict: 'merge', base: edit.base });
    return { isSaved: true, merged: changedPaths(edit.after, valuesOf(view)) };
  } catch (error) {
    if (!AppRegistryError.is(error) || error.problem === undefined) throw error;
    return { isSaved: false, ...explained(error) };
  }
}

function explained(error: AppRegistryError): { message: string; messages: Values; isConflict: boolean } {
  const messages: Values = {};
  if (error instanceof UnprocessableContentError)
    for (const { pointer = '', detail } of error.errors) messages[pathOf(pointer)] = detail;
  if (!(error instanceof PreconditionFailedError))
    return { message: error.problem?.detail ?? error.message, messages, isConflict: false };
  const changed = labelsOf(error.changedFields);
  const message = `Another window has changed: ${changed}. Your text is below. Save again to overwrite the other change.`;
  return { message, messages, isConflict: true };
}

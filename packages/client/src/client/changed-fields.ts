import type { DeveloperApp } from '../types/app.ts';
import type { AppUpdate } from '../types/app-update.ts';

/** The fields of an update, such as `oauthInfo.loginUrl`, that differ between two views of the app. */
export function changedFields(update: AppUpdate, before: DeveloperApp, now: DeveloperApp): string[] {
  const fields = fieldsOf(update);
  // Views contain the URL of the logo, which is different for each logo.
  const valueIn = (view: object, field: string) =>
    (field === 'logoId' ? 'logoUrl' : field).split('.').reduce<unknown>((value, name) => Object(value)[name], view);
  return fields.filter((field) => valueIn(before, field) !== valueIn(now, field));
}

function fieldsOf(update: object): string[] {
  return Object.entries(update).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (typeof value !== 'object' || value === null) return [name];
    return fieldsOf(value).map((nested) => `${name}.${nested}`);
  });
}

import type { Reader } from '../../../../storage/statement.ts';
import type { ProtectedNameRow } from '../../../../storage/tables.ts';
import { listProtectedNames } from '../../../protected-names/protected-name-queries.ts';
import { nameKey } from '../../name-key.ts';
import { hostOfKey } from './hosts.ts';
import type { AppIdentity, AppWarning } from './identities.ts';
import { protectedKeysIn } from './protected-keys.ts';

/** The names and hosts that are protected, or look as if they were, and that the developer may not use. */
export async function protectedNameWarnings(reader: Reader, identities: AppIdentity[]): Promise<AppWarning[]> {
  const sought = identities.map((identity) => ({ identity, keys: new Set(protectedKeysIn(identity)) }));
  const keysOf = (kind: AppIdentity['kind']) =>
    new Set(sought.filter(({ identity }) => identity.kind === kind).flatMap(({ keys }) => [...keys]));
  const lists = await Promise.all(
    (['name', 'host'] as const).map((kind) => listProtectedNames(reader, { kind, keys: [...keysOf(kind)] })),
  );
  const found = lists.flat();
  return sought.flatMap(({ identity, keys }) =>
    found
      .filter((one) => one.kind === identity.kind && keys.has(one.key) && !isAllowed(identity, one))
      .map((one) => protectedNameWarning(identity, one)),
  );
}

function isAllowed({ app }: AppIdentity, { developer_ids }: ProtectedNameRow): boolean {
  const allowed: string[] = JSON.parse(developer_ids);
  return allowed.includes(app.developer_id);
}

function protectedNameWarning({ app, kind, text, value: key, field }: AppIdentity, { value, note }: ProtectedNameRow): AppWarning {
  const noted = note === null ? '' : ` Note: ${note}`;
  if (kind === 'name') {
    const does = nameKey(text).includes(nameKey(value)) ? 'contains' : 'looks as if it contains';
    const detail = `The name ${does} the protected name ${JSON.stringify(value)}.${noted}`;
    return { app, warning: { code: 'name_protected', detail, field: field.path } };
  }
  const host = hostOfKey(key);
  const is = host === value || host.endsWith(`.${value}`) ? 'is protected' : 'looks like a protected one';
  return {
    app,
    warning: { code: 'host_protected', detail: `The host ${text} ${is}: ${value}.${noted}`, field: field.path },
  };
}

import {
  AppRecord,
  DeveloperRecord,
  type ImportType,
  InstallationRecord,
  LogoRecord,
} from '../import-record-schema.ts';

/** What the ids of a field identify; by these words other ids become UUIDs (`features/import-export/csv/legacy-id.ts`). */
export type IdKind = 'app' | 'installation' | 'logo' | 'user' | 'workspace';

/** How the cell of a field is read. */
export type FieldKind = 'text' | 'time' | 'boolean' | 'integer' | 'json' | { id: IdKind };

/** A field of a record that a column of a CSV file can have. */
export interface ImportField {
  /** Where the record holds it, with a dot before a name in a group. */
  path: string;
  kind: FieldKind;
}

/** The part of a JSON schema that says how a cell is read. */
interface FieldSchema {
  type?: unknown;
  format?: string;
  properties?: Record<string, FieldSchema>;
}

const ids: Record<ImportType, Record<string, IdKind>> = {
  developer: { userId: 'user' },
  logo: { id: 'logo', developerId: 'user' },
  app: { id: 'app', developerId: 'user', logoId: 'logo', 'approved.logoId': 'logo' },
  installation: { id: 'installation', appId: 'app', workspaceId: 'workspace', userId: 'user' },
};

/** Of each type: every field, derived from the schema of its records. */
export const importFields: Record<ImportType, ImportField[]> = {
  developer: fieldsOf('developer', DeveloperRecord),
  logo: fieldsOf('logo', LogoRecord),
  app: fieldsOf('app', AppRecord),
  installation: fieldsOf('installation', InstallationRecord),
};

function fieldsOf(type: ImportType, record: object): ImportField[] {
  return flattened(record, '').flatMap(({ path, schema }) => {
    if (path === 'type' || path === 'rejected') return [];
    const id = ids[type][path];
    return [{ path, kind: id ? { id } : kindOf(schema) }];
  });
}

function flattened(record: object, group: string): { path: string; schema: FieldSchema }[] {
  const { properties = {} }: FieldSchema = record;
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${group}${name}`;
    return schema.properties ? flattened(schema, `${path}.`) : [{ path, schema }];
  });
}

function kindOf({ type, format }: FieldSchema): FieldKind {
  if (format === 'date-time') return 'time';
  if (type === 'boolean' || type === 'integer') return type;
  return type === 'array' ? 'json' : 'text';
}

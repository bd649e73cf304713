import Type from 'typebox';
import {
  AppRecord,
  DeveloperRecord,
  type ImportType,
  InstallationRecord,
  importTypes,
  LogoRecord,
} from '../import-record-schema.ts';

/** What the ids of a field identify; by these words other ids become UUIDs (`features/import-export/csv/read-csv.ts`). */
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
  developer: recordFields('developer', DeveloperRecord),
  logo: recordFields('logo', LogoRecord),
  app: recordFields('app', AppRecord),
  installation: recordFields('installation', InstallationRecord),
};

function recordFields(type: ImportType, record: object): ImportField[] {
  return flattened(record, '').flatMap(({ path, schema }) => {
    if (path === 'type' || path === 'rejected') return [];
    const id = ids[type][path];
    return [{ path, kind: id ? { id } : cellKind(schema) }];
  });
}

function flattened(record: object, group: string): { path: string; schema: FieldSchema }[] {
  const { properties = {} }: FieldSchema = record;
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${group}${name}`;
    return schema.properties ? flattened(schema, `${path}.`) : [{ path, schema }];
  });
}

function cellKind({ type, format }: FieldSchema): FieldKind {
  if (format === 'date-time') return 'time';
  if (type === 'boolean' || type === 'integer') return type;
  return type === 'array' ? 'json' : 'text';
}

/** How a mapping names the objects of each type. */
export const mappedKinds = {
  developer: 'developers',
  logo: 'logos',
  app: 'apps',
  installation: 'installations',
} as const satisfies Record<ImportType, string>;

/** Times that are no ISO 8601 with an offset or, with a `timeZone`, without. */
const timeNotations = ['epochSeconds', 'epochMilliseconds', 'date'] as const;

const FieldMapping = Type.Object(
  {
    column: Type.Optional(Type.String({ minLength: 1, description: 'The column name, as in the header of the file.' })),
    constant: Type.Optional(
      Type.Unsafe<unknown>({ description: 'A constant value for every record: a string, an integer, true or false.' }),
    ),
    values: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description:
          'Maps the text of a cell to a value. Null omits the field. A cell that is not listed is an error, unless it is empty or a marker of noValue.',
      }),
    ),
    time: Type.Optional(
      Type.Unsafe<(typeof timeNotations)[number]>({
        type: 'string',
        enum: timeNotations,
        description:
          'The notation of times that are not ISO 8601: seconds or milliseconds since 1970, or a date, which means the start of that day in the timeZone.',
      }),
    ),
    timeZone: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The time zone of times without an offset: a name such as Europe/Berlin, or an offset such as +01:00.',
        examples: ['Europe/Berlin'],
      }),
    ),
    idKind: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z_]{0,62}$',
        description:
          'The prefix before the colon in the name from which an id becomes a UUIDv5, if it is not the default.',
        examples: ['partner'],
      }),
    ),
    isPath: Type.Optional(
      Type.Boolean({
        description: 'Whether the column of the field png holds the path of an image, relative to the CSV file.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type FieldMapping = Type.Static<typeof FieldMapping>;

function kindMapping(type: ImportType) {
  const fields = importFields[type].map(({ path }) => [path, Type.Optional(FieldMapping)]);
  return Type.Optional(
    Type.Object(
      {
        file: Type.Optional(
          Type.String({ minLength: 1, description: `The name of the file, if it is not ${mappedKinds[type]}.csv.` }),
        ),
        fields: Type.Optional(
          Type.Unsafe<Record<string, FieldMapping>>(
            Type.Object(Object.fromEntries(fields), {
              additionalProperties: false,
              description:
                'Maps each field to the source of its values. Other columns are ignored. If absent, the header holds field names.',
            }),
          ),
        ),
      },
      { additionalProperties: false },
    ),
  );
}

/** The cells without a value, unless the mapping says otherwise: databases export them so. */
export const noValueMarkers = ['NULL', '\\N'];

/** A mapping file, in which each field that is only the name of its column was replaced with `{ column }`. */
export const ImportMapping = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    noValue: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The cells that mean that a field is absent, in every file, besides an empty cell. They are compared exactly, and the values of a field come first.',
        default: noValueMarkers,
      }),
    ),
    developers: kindMapping('developer'),
    logos: kindMapping('logo'),
    apps: kindMapping('app'),
    installations: kindMapping('installation'),
  },
  { additionalProperties: false },
);
export type ImportMapping = Type.Static<typeof ImportMapping>;

/** The schema of mapping files for editors (`docs/import-mapping.schema.json`). A field may be the name of its column. */
export function publishedMappingSchema(): object {
  const field = { anyOf: [{ type: 'string', minLength: 1 }, { $ref: '#/$defs/field' }] };
  const kinds = importTypes.map((type) => {
    const { properties, ...kind } = ImportMapping.properties[mappedKinds[type]];
    const fields = Object.fromEntries(importFields[type].map(({ path }) => [path, field]));
    return [
      mappedKinds[type],
      { ...kind, properties: { ...properties, fields: { ...properties.fields, properties: fields } } },
    ];
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Mapping of CSV files for app-registry import',
    ...ImportMapping,
    properties: {
      $schema: { type: 'string' },
      noValue: ImportMapping.properties.noValue,
      ...Object.fromEntries(kinds),
    },
    $defs: { field: FieldMapping },
  };
}

import Type from 'typebox';
import { type ImportType, importTypes } from '../import-record.ts';
import { importFields } from './import-fields.ts';

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
    column: Type.Optional(
      Type.String({ minLength: 1, description: 'The column of the file, as its header names it.' }),
    ),
    constant: Type.Optional(
      Type.Unsafe<unknown>({ description: 'The value of every record: a text, a whole number, true or false.' }),
    ),
    values: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description:
          'By cell: the value. Null leaves the field out. A cell that is not listed is an error, except an empty one.',
      }),
    ),
    time: Type.Optional(
      Type.Unsafe<(typeof timeNotations)[number]>({
        type: 'string',
        enum: timeNotations,
        description:
          'How a time is written, if not as ISO 8601: seconds or milliseconds since 1970, or as a date, which means the beginning of that day in the timeZone.',
      }),
    ),
    timeZone: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Of times without an offset: a name such as Europe/Berlin, or an offset such as +01:00.',
        examples: ['Europe/Berlin'],
      }),
    ),
    idKind: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z_]{0,62}$',
        description:
          'The word before the colon in the name of which an id becomes a UUIDv5, if it is not the usual one.',
        examples: ['partner'],
      }),
    ),
    isPath: Type.Optional(
      Type.Boolean({ description: 'Whether the column of the field png has the path of an image, from the CSV file.' }),
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
                'By field: where its values come from. Other columns are ignored. Without it, the header has the names of the fields.',
            }),
          ),
        ),
      },
      { additionalProperties: false },
    ),
  );
}

/** A mapping file, in which each field that is only the name of its column was replaced with `{ column }`. */
export const ImportMapping = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
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
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(kinds) },
    $defs: { field: FieldMapping },
  };
}

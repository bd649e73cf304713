import { createHash } from 'node:crypto';
import Type from 'typebox';
import { Failure } from '../../kernel/failure.ts';
import { findFirstResult, writeIdempotently } from '../../kernel/idempotency.ts';
import { byId, operation } from '../../kernel/operation.ts';
import type { OperatorValidationError } from '../../kernel/problem-details.ts';
import type { CsvFile } from './csv/csv-plan.ts';
import type { ImportInput, ImportSource } from './import-input.ts';
import type { ImportErrorGroup } from './import-record-schema.ts';
import { importRegistry } from './import-registry.ts';

/** About 20,000 installations: other writes wait for the transaction of an import. */
const fileBytesMax = 4 * 1_048_576;
/** Larger than any mapping. */
const textBytesMax = 65_536;
const mediaTypes = ['application/jsonl', 'text/csv', 'text/tab-separated-values', 'application/octet-stream'];

const csvKinds = ['developers', 'logos', 'apps', 'installations'] as const;

const ImportFile = Type.Object(
  {
    // Without a type: JSON Schema has none for bytes.
    file: Type.Unsafe<Uint8Array>({
      contentMediaType: 'application/octet-stream',
      description: 'JSON Lines, or with `kind` a CSV file, of at most 4 MiB.',
    }),
    kind: Type.Optional(
      Type.Unsafe<(typeof csvKinds)[number]>({
        type: 'string',
        enum: csvKinds,
        description: 'The objects that a CSV file contains. Absent: the file is JSON Lines.',
      }),
    ),
    mapping: Type.Optional(
      Type.String({ description: 'A mapping file of CSV columns to fields, as JSON: `import-mapping.schema.json`.' }),
    ),
    delimiter: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: [',', ';', '|', '\t'],
        description: 'The separator in a CSV file. Absent: a comma.',
      }),
    ),
    idNamespace: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
        description: 'The UUID of a namespace, in which other ids of a CSV file become UUIDv5.',
      }),
    ),
    dryRun: Type.Optional(
      Type.Unsafe<'true' | 'false'>({
        type: 'string',
        enum: ['true', 'false'],
        description: 'Whether to do all the work and store nothing. The response then has the errors of the file.',
      }),
    ),
  },
  { $id: 'ImportFile', additionalProperties: false },
);

const ImportCounts = Type.Object(
  {
    created: Type.Integer({ minimum: 0, description: 'How many the registry did not have.' }),
    updated: Type.Integer({ minimum: 0, description: 'How many differed from what was stored.' }),
    unchanged: Type.Integer({ minimum: 0, description: 'How many were stored like this already.' }),
  },
  { $id: 'ImportCounts', description: 'The outcome for the objects of one kind.' },
);

const ImportFileError = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'The first line with this error.' }),
    count: Type.Integer({ minimum: 1, description: 'How many lines have it.' }),
    lines: Type.Array(Type.Integer({ minimum: 1 }), { description: 'The first ten of these lines.' }),
    column: Type.Optional(Type.String({ description: 'The column of the field in a CSV file.' })),
    pointer: Type.String({ description: 'A JSON Pointer (RFC 6901) into the record.' }),
    code: Type.String({ description: 'The code of the error, such as `required`.' }),
    detail: Type.String({ description: 'What is wrong and what to do.' }),
  },
  { $id: 'ImportFileError', description: 'An error of a file, with the lines that have it.' },
);
type ImportFileError = Type.Static<typeof ImportFileError>;

const ImportResult = Type.Object(
  {
    dryRun: Type.Boolean({ description: 'Whether nothing was stored.' }),
    developers: ImportCounts,
    logos: ImportCounts,
    apps: ImportCounts,
    installations: ImportCounts,
    recordsRefused: Type.Integer({ minimum: 0, description: 'How many records have errors.' }),
    errors: Type.Array(ImportFileError, { description: 'The errors of the file, in the order of their first lines.' }),
  },
  { $id: 'ImportResult', description: 'What an import has stored, or what a dry run would store.' },
);
type ImportResult = Type.Static<typeof ImportResult>;

/**
 * An import of the command line over HTTP: all or nothing, in one transaction. The file is bounded, because it is in memory
 * and other writes wait. A retry after an interruption finds what was stored unchanged.
 */
const runImport = operation({
  id: 'runImport',
  method: 'POST',
  path: '/operator/v1/imports',
  summary: 'Import developers, logos, apps and installations from a file',
  description:
    'Imports all records or none. Existing objects are updated, so importing a file twice changes nothing more. Events are recorded but not delivered to webhooks. For larger files, several CSV files or imports in steps, use `app-registry import`.',
  scope: 'admin',
  form: { parts: ImportFile, file: { name: 'file', bytesMax: fileBytesMax, mediaTypes }, textBytesMax },
  response: ImportResult,
  refusals: ['name_taken'],
  // It reads files of any size.
  command: { name: 'import' },
  async run({ registry, caller, body }) {
    const content = ['runImport', { ...body, file: createHash('sha256').update(body.file).digest('hex') }];
    const first = await findFirstResult<ImportResult>(registry, caller, { content });
    if (first) return first;
    const dryRun = body.dryRun === 'true';
    // A dry run goes on after an error, to find all of them and what else it would store.
    const rejects = { begin: async () => {}, write: async () => {} };
    const input: ImportInput = { ...sourceOf(body), dryRun, ...(dryRun && { rejects }) };
    const { refused, ...summary } = await importRegistry(registry, caller, input).catch((error) => {
      throw withLines(error);
    });
    const { pendingAsDraft: _, ...counts } = summary;
    const errors = (refused?.errors ?? []).map(fileError);
    const result = { dryRun, ...counts, recordsRefused: refused?.records ?? 0, errors };
    return writeIdempotently(registry, caller, { content, work: async () => result });
  },
});

export const importOperations = byId(runImport);

function sourceOf({ file, kind, mapping, delimiter = ',', idNamespace }: Type.Static<typeof ImportFile>): ImportSource {
  async function* open() {
    yield file;
  }
  if (kind === undefined) return { open };
  const csv: CsvFile = { name: `${kind}.csv`, delimiter, open, readBeside: async () => null };
  return {
    csv: {
      files: [csv],
      ...(mapping !== undefined && { mapping: { name: 'mapping', text: mapping } }),
      ...(idNamespace !== undefined && { idNamespace }),
    },
  };
}

function fileError({ line, count, examples, column, pointer, code, detail }: ImportErrorGroup): ImportFileError {
  const lines = examples.map((example) => example.line);
  return { line, count, lines, ...(column !== undefined && { column }), pointer, code, detail };
}

/** The errors of a refused file with their lines in the details, as the problem of an HTTP response has no other place. */
function withLines(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'invalid_content') return error;
  const errors = (error.errors ?? []) as (OperatorValidationError & Partial<ImportErrorGroup>)[];
  const located = errors.map(({ line, pointer, code, detail }) => ({
    ...(pointer !== undefined && { pointer }),
    code,
    detail: line === undefined ? detail : `Line ${line}: ${detail}`,
  }));
  return new Failure('invalid_content', error.message, located);
}

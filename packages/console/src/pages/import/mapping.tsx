import type { ImportFile } from '@appregistrar/client/operator';
import { useId } from 'preact/hooks';
import schema from '../../../../../docs/import-mapping.schema.json';
import { type CsvHeader, columnFor } from './csv-header.ts';

export type CsvKind = NonNullable<ImportFile['kind']>;
/** The column that each field is read from. */
export type Columns = Record<string, string>;

const kindNames: Record<CsvKind, string> = {
  developers: 'Developers',
  logos: 'Logos',
  apps: 'Apps',
  installations: 'Installations',
};

/** By the name of the file. */
export function kindOfFile(name: string): CsvKind {
  const kinds = Object.keys(kindNames) as CsvKind[];
  return kinds.find((kind) => name.toLowerCase().includes(kind.replace(/s$/, ''))) ?? 'apps';
}

/** The fields that a column can be mapped to, as the schema of mapping files has them. */
function fieldsOf(kind: CsvKind): string[] {
  return Object.keys(schema.properties[kind].properties.fields.properties);
}

/** The columns that are named like fields, each for the first such field. */
export function suggestedColumns(kind: CsvKind, { columns }: CsvHeader): Columns {
  const suggested: Columns = {};
  for (const field of fieldsOf(kind)) {
    const left = columns.filter((column) => !Object.values(suggested).includes(column));
    const column = columnFor(field, left);
    if (column !== undefined) suggested[field] = column;
  }
  return suggested;
}

/** The text of a mapping file, as `app-registry import --mapping` reads it. */
export function mappingOf(kind: CsvKind, columns: Columns): string {
  return JSON.stringify({ [kind]: { fields: columns } });
}

interface CsvMappingProps {
  header: CsvHeader;
  kind: CsvKind;
  columns: Columns;
  idNamespace: string;
  onKind: (kind: CsvKind) => void;
  onColumns: (columns: Columns) => void;
  onNamespace: (uuid: string) => void;
}

/** What the file contains, and which column each field is read from. */
export function CsvMapping({ header, kind, columns, idNamespace, ...on }: CsvMappingProps) {
  const id = useId();
  const setColumn = (field: string, column: string) => {
    const { [field]: _, ...others } = columns;
    on.onColumns(column === '' ? others : { ...others, [field]: column });
  };
  // Those that were found stay in view, regardless of what is chosen for them.
  const found = suggestedColumns(kind, header);
  const likely = fieldsOf(kind).filter((field) => field in found);
  const others = fieldsOf(kind).filter((field) => !(field in found));
  const used = new Set(Object.values(columns));
  const unused = header.columns.filter((column) => !used.has(column));
  return (
    <>
      <div class="field">
        <label for={`${id}-kind`}>The file contains</label>
        <select
          id={`${id}-kind`}
          value={kind}
          onChange={({ currentTarget }) => on.onKind(currentTarget.value as CsvKind)}
        >
          {Object.entries(kindNames).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <FieldColumns legend="Columns" fields={likely} header={header} columns={columns} setColumn={setColumn} />
      <details class="rest" key={kind} open={likely.length === 0}>
        <summary>Other fields</summary>
        <FieldColumns legend="Other fields" fields={others} header={header} columns={columns} setColumn={setColumn} />
      </details>
      <p class="hint">{unused.length === 0 ? 'Every column is used.' : `Ignored columns: ${unused.join(', ')}`}</p>
      <div class="field">
        <label for={`${id}-namespace`}>Namespace of ids that are neither TypeIDs nor UUIDs (a UUID)</label>
        <input
          id={`${id}-namespace`}
          value={idNamespace}
          autocomplete="off"
          onInput={({ currentTarget }) => on.onNamespace(currentTarget.value.trim())}
        />
      </div>
    </>
  );
}

interface FieldColumnsProps {
  legend: string;
  fields: string[];
  header: CsvHeader;
  columns: Columns;
  setColumn: (field: string, column: string) => void;
}

function FieldColumns({ legend, fields, header, columns, setColumn }: FieldColumnsProps) {
  return (
    <fieldset class="mapping">
      <legend>{legend}</legend>
      {fields.map((field) => (
        <label key={field}>
          <code>{field}</code>
          <select value={columns[field] ?? ''} onChange={({ currentTarget }) => setColumn(field, currentTarget.value)}>
            <option value="">(none)</option>
            {header.columns.map((column) => (
              <option key={column} value={column}>
                {column}
              </option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  );
}

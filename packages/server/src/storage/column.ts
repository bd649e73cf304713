/** What differs between the engines in a table's definition, as SQL. */
export interface ColumnTypes {
  engine: 'sqlite' | 'postgres';
  /** Compared by byte: other collations differ between machines. */
  text: string;
  integer: string;
  bytes: string;
  /** An ascending key: each new value exceeds all existing ones. */
  sequence: string;
  /** The end of a table definition. */
  tableEnd: string;
}

export const columnTypes: Record<'sqlite' | 'postgres', ColumnTypes> = {
  sqlite: {
    engine: 'sqlite',
    text: 'text',
    integer: 'integer',
    bytes: 'blob',
    sequence: 'integer primary key autoincrement',
    tableEnd: ' strict',
  },
  postgres: {
    engine: 'postgres',
    text: 'text collate "C"',
    integer: 'bigint',
    bytes: 'bytea',
    sequence: 'bigint generated always as identity primary key',
    tableEnd: '',
  },
};

/** A column of a row: its values, the same on both engines, and its definition in SQL. */
export interface Column<Value> {
  readonly isRead: true;
  /** Exists for its type alone. */
  readonly value?: Value;
  define(types: ColumnTypes): string;
}

/** A column that the database sets, and that rows do not have. Null where an engine needs none. */
export interface UnreadColumn {
  readonly isRead: false;
  define(types: ColumnTypes): string | null;
}

export function column<Value>(type: 'text' | 'integer' | 'bytes', constraint = 'not null'): Column<Value> {
  return { isRead: true, define: (types) => `${types[type]} ${constraint}`.trimEnd() };
}

export function unread(define: UnreadColumn['define']): UnreadColumn {
  return { isRead: false, define };
}

/** Ids and JSON too. */
export const text = column<string>('text');
/** Counts, and times as milliseconds since 1970. */
export const integer = column<number>('integer');
export const flag = column<0 | 1>('integer');
export const bytes = column<Uint8Array>('bytes');
export const key = column<string>('text', 'not null primary key');
export const unique = column<string>('text', 'not null unique');
export const sequence = { ...unread((types) => types.sequence), isSequence: true } as const;
/** Zero unless a row says otherwise. */
export const defaulted = {
  integer: column<number>('integer', 'default 0 not null'),
  flag: column<0 | 1>('integer', 'default 0 not null'),
};
/** Null when there is no value. */
export const optional = {
  text: column<string | null>('text', ''),
  integer: column<number | null>('integer', ''),
  reference: (target: string) => column<string | null>('text', `references ${target}`),
};

export function reference(target: string): Column<string> {
  return column('text', `not null references ${target}`);
}

export function keyReference(target: string): Column<string> {
  return column('text', `not null primary key references ${target}`);
}

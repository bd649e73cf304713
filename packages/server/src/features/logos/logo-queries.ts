import { sql } from 'kysely';
import { type Connection, defineChange, defineFind, defineInsert, defineList } from '../../storage/query.ts';
import { listPage, type PageOfRows, type PageRequest, type Sorting } from '../../storage/row-pages.ts';
import { columns, type LogoRow } from '../../storage/tables.ts';

export const findLogo = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('logos').select(['png', 'blocked_at', 'blocked_reason']).where('id', '=', id),
);

/** Inside a write: a logo of a developer, which stays until the write ends. */
export const findLogoOfDeveloper = defineFind((db, { id, developerId }: { id: string; developerId: string }) =>
  db
    .selectFrom('logos')
    .select(['id', 'blocked_at'])
    .where('id', '=', id)
    .where('developer_id', '=', developerId)
    .forShare(),
);

const columnsWithoutImage = ['id', 'developer_id', 'created_at', 'blocked_at', 'blocked_reason', 'updated_at'] as const;
export type LogoWithoutImage = Pick<LogoRow, (typeof columnsWithoutImage)[number]>;

/** A logo without its image. */
export const findLogoWithoutImage = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('logos').select(columnsWithoutImage).where('id', '=', id),
);

/** Inside a write: a logo without its image, locked until the write ends. */
export const findLogoForUpdate = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('logos').select(columnsWithoutImage).where('id', '=', id).forUpdate(),
);

export const updateLogoBlock = defineChange((db, { id, blocked_at, blocked_reason, updated_at }: LogoBlockRow) =>
  db.updateTable('logos').set({ blocked_at, blocked_reason, updated_at }).where('id', '=', id),
);

type LogoBlockRow = Pick<LogoRow, 'id' | 'blocked_at' | 'blocked_reason' | 'updated_at'>;

export const deleteLogo = defineChange((db, { id }: { id: string }) => db.deleteFrom('logos').where('id', '=', id));

/**
 * The apps of a developer that use a logo, in their current or their approved content, deleted ones included. In one
 * statement, as an app may be deleted or restored meanwhile.
 */
export function listAppsWithLogo(
  transaction: Connection,
  { id, developerId, limit }: { id: string; developerId: string; limit: number },
): Promise<{ id: string }[]> {
  // As `JSON.stringify` writes it. In the row of a deleted app, the approved content is JSON in a string of JSON.
  const named = `"logo_id":"${id}"`;
  return listAppsNaming(transaction, {
    id,
    developerId,
    limit,
    named: containsPattern(named),
    namedInString: containsPattern(JSON.stringify(named).slice(1, -1)),
  });
}

interface LogoNames {
  id: string;
  developerId: string;
  limit: number;
  named: string;
  namedInString: string;
}

const listAppsNaming = defineList((db, { id, developerId, limit, named, namedInString }: LogoNames) =>
  db
    .selectFrom('apps')
    .select('id')
    .where('developer_id', '=', developerId)
    .where((app) => app.or([app('logo_id', '=', id), sql<boolean>`approved_content like ${named} escape '!'`]))
    .unionAll(
      db
        .selectFrom('deleted_apps')
        .select('id')
        .where('developer_id', '=', developerId)
        .where(sql<boolean>`("row" like ${named} escape '!' or "row" like ${namedInString} escape '!')`),
    )
    .orderBy('id')
    .limit(limit),
);

/** Of texts that contain this one. */
function containsPattern(text: string): string {
  return `%${text.replaceAll(/[!%_]/g, '!$&')}%`;
}

export const insertLogo = defineInsert('logos');

/** Inside a write: the existing ones of these logos, without images, which stay until the write ends. */
export async function listLogosForShare(connection: Connection, ids: string[]): Promise<LogoWithoutImage[]> {
  const logos = connection.builder.selectFrom('logos').select(columnsWithoutImage).where('id', 'in', ids);
  return connection.rows(logos.orderBy('id').forShare().compile());
}

/** Inside a write: the existing ones of these logos, without images, locked until the write ends. */
export async function listLogosForUpdate(connection: Connection, ids: string[]): Promise<LogoWithoutImage[]> {
  const logos = connection.builder.selectFrom('logos').select(columnsWithoutImage).where('id', 'in', ids);
  return connection.rows(logos.orderBy('id').forUpdate().compile());
}

/** The existing ones of these logos. Pass few ids: images are large. */
export async function listLogos(connection: Connection, ids: string[]): Promise<LogoRow[]> {
  const logos = connection.builder.selectFrom('logos').select(columns.logos).where('id', 'in', ids);
  return connection.rows(logos.compile());
}

/** A page of all logos or of those of a developer, without images. Throws `ForeignPosition`. */
export function listLogoPage(
  connection: Connection,
  { developerId }: { developerId: string | undefined },
  { sorting, ...request }: PageRequest & { sorting: Sorting<'id'> },
): Promise<PageOfRows<LogoWithoutImage>> {
  const all = connection.builder.selectFrom('logos').select(columnsWithoutImage);
  const query = developerId === undefined ? all : all.where('developer_id', '=', developerId);
  return listPage(connection, { query, ...sorting }, request);
}

import { listPage, type PageOfRows, type PageRequest } from '../page.ts';
import { type Connection, find, insert } from '../query.ts';
import { columns, type LogoRow } from '../tables.ts';

export const findLogo = find((db, { id }: { id: string }) =>
  db.selectFrom('logos').select(['png', 'blocked_at', 'blocked_reason']).where('id', '=', id),
);

/** Inside a write: a logo of a developer, which stays until the write ends. */
export const findLogoOfDeveloper = find((db, { id, developerId }: { id: string; developerId: string }) =>
  db
    .selectFrom('logos')
    .select(['id', 'blocked_at'])
    .where('id', '=', id)
    .where('developer_id', '=', developerId)
    .forShare(),
);

export const insertLogo = insert('logos');

/** The existing ones of these logos, without images. */
export async function listLogoOwners(
  connection: Connection,
  ids: string[],
): Promise<{ id: string; developer_id: string }[]> {
  const logos = connection.builder.selectFrom('logos').select(['id', 'developer_id']).where('id', 'in', ids);
  return connection.rows(logos.compile());
}

/** The existing ones of these logos. Pass few ids: images are large. */
export async function listLogos(connection: Connection, ids: string[]): Promise<LogoRow[]> {
  const logos = connection.builder.selectFrom('logos').select(columns.logos).where('id', 'in', ids);
  return connection.rows(logos.compile());
}

/** A page of the logos of a developer, by id, without images. */
export function listLogoPage(
  connection: Connection,
  { developerId }: { developerId: string },
  request: PageRequest,
): Promise<PageOfRows<Pick<LogoRow, 'id' | 'developer_id'>>> {
  const query = connection.builder
    .selectFrom('logos')
    .select(['id', 'developer_id'])
    .where('developer_id', '=', developerId);
  return listPage(connection, { query, order: ['id'] }, request);
}

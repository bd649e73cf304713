import { sql } from 'kysely';
import { BatchLoader, type Gate } from '../gate.ts';
import { type Connection, list } from '../query.ts';
import {
  changesToApproved,
  developerStamp,
  gateTokenColumns,
  platformRevisionText,
} from '../request-lookup-columns.ts';

const listTokens = list((db, { keys }: { keys: string }) =>
  db
    .selectFrom('access_tokens')
    .select(['hash', ...gateTokenColumns])
    .where('hash', 'in', eachOf(keys)),
);
const listRevisions = list((db, { keys }: { keys: string }) =>
  db
    .selectFrom('apps')
    .select(['id', 'platform_revision', 'platform_revision_stamp', developerStamp, changesToApproved])
    .where('id', 'in', eachOf(keys)),
);

/** Looks up any number of keys in one statement. Nothing is cached, so a result includes the commits of every process. */
export function sqliteGate(reader: Connection): Gate {
  return new BatchLoader(async ({ hashes, appIds }) => {
    const tokens = hashes.length > 0 ? await listTokens(reader, { keys: JSON.stringify(hashes) }) : [];
    const apps = appIds.length > 0 ? await listRevisions(reader, { keys: JSON.stringify(appIds) }) : [];
    return {
      tokens: new Map(tokens.map(({ hash, ...token }) => [hash, token])),
      revisions: new Map(apps.map((app) => [app.id, platformRevisionText(app)])),
    };
  }, 1);
}

/** The elements of a JSON array. */
function eachOf(keys: string) {
  return sql<string>`(select value from json_each(${keys}))`;
}

import { type Connection, change } from '../query.ts';
import type { ResponseTextRow } from '../tables.ts';

interface UsedText extends ResponseTextRow {
  /** A use at this time or later is not recorded again: the row of a text in constant use is rarely written. */
  recent: number;
}

/** Stores a text, or the use of a text that is stored. Returns 0 if nothing was to be written. */
export const storeResponseText = change((db, { hash, text, used_at, recent }: UsedText) =>
  db
    .insertInto('response_texts')
    .values({ hash, text, used_at })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ used_at }).where('response_texts.used_at', '<', recent),
    ),
);

/** The stored ones of these texts. */
export async function listResponseTexts(connection: Connection, hashes: string[]): Promise<{ text: string }[]> {
  return connection.rows(
    connection.builder.selectFrom('response_texts').select('text').where('hash', 'in', hashes).compile(),
  );
}

/** Deletes the texts that were last used at or before a time. */
export const deleteResponseTextsUntil = change((db, { time }: { time: number }) =>
  db.deleteFrom('response_texts').where('used_at', '<=', time),
);

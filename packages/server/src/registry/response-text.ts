import { createHash } from 'node:crypto';
import { findEvent } from '../storage/queries/events.ts';
import { listResponseTexts, storeResponseText } from '../storage/queries/idempotency-keys.ts';
import type { Connection } from '../storage/query.ts';
import type { EventRow } from '../storage/tables.ts';

/** Shorter texts take no more space in the response than a reference to them. */
const longTextLengthMin = 256;
/** How often the use of a text is recorded. */
export const textUseIntervalMs = 3_600_000;

/** A response as stored. */
interface StoredResponse {
  /** The event that holds some of the texts; absent when none is long. */
  event?: string | null;
  /** The response, with `Reference` in place of each long text. */
  response: unknown;
}

interface Reference {
  /** SHA-256 of the text. A mistaken text is therefore never returned. */
  $text: string;
}

interface NewResponse {
  response: object;
  /** The change that the response reports: a text in it is not stored again. */
  event: EventRow | null;
  at: number;
}

/** Stores the long texts of a response that the event does not hold. Returns the rest, and the bytes of the texts. */
export async function storeTexts(
  transaction: Connection,
  { response, event, at }: NewResponse,
): Promise<{ stored: string; textBytes: number }> {
  const texts = new Map<string, string>();
  const rest = JSON.stringify(response, (_, value: unknown) => {
    if (typeof value !== 'string' || value.length < longTextLengthMin) return value;
    const reference: Reference = { $text: hashOf(value) };
    texts.set(reference.$text, value);
    return reference;
  });
  if (texts.size === 0) return { stored: `{"response":${rest}}`, textBytes: 0 };
  const known = new Set(textsOf(event).map(hashOf));
  let textBytes = 0;
  for (const [hash, text] of texts) {
    if (known.has(hash)) continue;
    const written = await storeResponseText(transaction, { hash, text, used_at: at, recent: at - textUseIntervalMs });
    if (written > 0) textBytes += Buffer.byteLength(text);
  }
  return { stored: `{"event":${JSON.stringify(event?.id ?? null)},"response":${rest}}`, textBytes };
}

/**
 * The response, the same as when it was stored; null when it needs an archived event, which happens only after the
 * guarantee to retries has ended.
 */
export async function restoreTexts<Response extends object>(
  connection: Connection,
  stored: string,
): Promise<Response | null> {
  const { event: eventId, response } = readStoredResponse(stored);
  if (eventId === undefined) return response as Response;
  const event = eventId === null ? null : await findEvent(connection, { id: eventId });
  const rows = await listResponseTexts(connection, referencesIn(response));
  const texts = [...textsOf(event), ...rows.map(({ text }) => text)];
  const byHash = new Map(texts.map((text) => [hashOf(text), text]));
  const isArchived = eventId !== null && event === null;
  if (isArchived && referencesIn(response).some((hash) => !byHash.has(hash))) return null;
  return JSON.parse(JSON.stringify(response), (_, value: unknown) => {
    if (!isReference(value)) return value;
    const text = byHash.get(value.$text);
    if (text === undefined) throw new Error('a text of a stored response is missing');
    return text;
  });
}

/** Reads what is stored under a key. Throws for anything else. */
export function readStoredResponse(stored: string): StoredResponse {
  return JSON.parse(stored);
}

function referencesIn(response: unknown): string[] {
  const hashes: string[] = [];
  JSON.stringify(response, (_, value: unknown) => {
    if (isReference(value)) hashes.push(value.$text);
    return value;
  });
  return hashes;
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && '$text' in value && typeof value.$text === 'string';
}

/** Every long text that an event sets. */
function textsOf(event: Pick<EventRow, 'after'> | null): string[] {
  const texts: string[] = [];
  if (event?.after) {
    JSON.parse(event.after, (_, value: unknown) => {
      if (typeof value === 'string' && value.length >= longTextLengthMin) texts.push(value);
      return value;
    });
  }
  return texts;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

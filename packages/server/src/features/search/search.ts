import { idRange, toTypeId } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import { pageLimits, readPage } from '../../kernel/page.ts';
import { allows, type Registry } from '../../kernel/registry.ts';
import { dateTime } from '../../kernel/text.ts';
import { ForeignPosition, type Position } from '../../storage/row-pages.ts';
import type { AppRow, DeveloperRow, WebhookRow } from '../../storage/tables.ts';
import { findAccessToken } from '../access/access-queries.ts';
import { appOfDeleted, isRestorable, nameKey, searchKey } from '../apps/app-content.ts';
import { listAppPage } from '../apps/app-queries.ts';
import { readHost, urlHost } from '../apps/comparison/hosts.ts';
import { catchUp } from '../apps/comparison/projections.ts';
import { operatorDeveloperView } from '../developers/change-developer.ts';
import { findInstallation } from '../installations/installation-queries.ts';
import { findWebhook } from '../webhooks/webhook-queries.ts';
import {
  type FoundText,
  findInstalledWorkspace,
  findLogoOwner,
  type IdRange,
  listFoundApps,
  listFoundDeletedApps,
  listFoundDevelopers,
  listIds,
  listSearchTexts,
  listWebhookNames,
  type TextSearch,
} from './search-queries.ts';
import { hitTypes, type SearchHit, SearchQuery, SearchResult } from './search-result.ts';

/** How many texts are compared to find the best. Of more, which are compared is left to the index. */
const comparedMax = 200;
/** How many hits of each type can be read, page by page. */
const rankedMax = comparedMax;
/** Apps whose hosts are read, to find as many different hosts as are wanted: many apps may be at one. */
const hostAppsMax = 200;
/** They are few, and have no index. */
const webhooksMax = 1_000;

/** The number of index queries does not depend on the size of the registry. */
export const search = operation({
  id: 'search',
  method: 'GET',
  path: '/operator/v1/search',
  summary: 'Search apps, developers and everything that has an id',
  description:
    'Returns the best results of each type first: an equal id, a name that equals or starts with the text, a word that starts with it, then any other part. Up to 200 of each type are found. Each page is ranked anew: if objects change meanwhile, a result can be repeated or skipped. Webhooks and tokens require the scope `admin`.',
  scope: 'read',
  query: SearchQuery,
  response: SearchResult,
  command: {
    name: 'search',
    description: 'Search apps, developers, hosts, workspaces and every other object with an id.',
    arguments: { q: '<text> words or parts of words in a name, part of an email address or host, or an id' },
    options: {
      type: '<types...> only results of these types',
      cursor: '<cursor> nextCursor or prevCursor from an earlier page',
      limit: `<number> the maximum number of results, up to ${pageLimits.max} (default: ${pageLimits.default})`,
    },
    readable: readableResult,
    examples: ['app-registry search "invoice sync"'],
  },
  async run({ registry, query, scopes }) {
    const text = query.q.trim();
    const isAdmin = allows(scopes, 'admin');
    const types = query.type ?? hitTypes;
    const wantedTypes = types.filter((type) => isAdmin || !(type === 'webhook' || type === 'token'));
    return readPage(query, {
      name: 'search',
      byDefault: 'relevance',
      filters: { q: text.toLowerCase() },
      async read({ limit, position }) {
        const [from, to] = rangeOf(limit, position);
        const hits =
          text === '' ? [] : await findHits(registry, { text, wanted: Math.min(to + 1, rankedMax) }, wantedTypes);
        return {
          rows: hits.slice(from, to),
          ...(hits.length > to && { next: { side: 'after', values: [`${to}`] } }),
          ...(from > 0 && { prev: { side: 'before', values: [`${from}`] } }),
        };
      },
      view: (hit) => hit,
    });
  },
});

export const searchOperations = byId(search);

/** One line for each hit. */
function readableResult({ items, ...cursors }: SearchResult): object {
  if (items.length === 0) return { found: 'nothing', ...cursors };
  const groups = [...Map.groupBy(items, ({ type }) => type)];
  const texts = groups.map(([type, hits]) => [type, hits.map(({ type: _, ...hit }) => Object.values(hit).join('  '))]);
  return { ...Object.fromEntries(texts), ...cursors };
}

/** The places of a page among the hits, which are ranked anew for each page. Throws `ForeignPosition`. */
function rangeOf(limit: number, position: Position = { side: 'after', values: ['0'] }): [from: number, to: number] {
  const [place = ''] = position.values;
  if (position.values.length !== 1 || !/^\d{1,4}$/.test(place)) throw new ForeignPosition();
  const at = Number(place);
  return position.side === 'after' ? [at, at + limit] : [Math.max(0, at - limit), at];
}

/** The hits of these types, the best of each first. */
async function findHits(registry: Registry, sought: Sought, types: readonly SearchHit['type'][]): Promise<SearchHit[]> {
  await catchUp(registry);
  const found = await Promise.all([
    findById(registry, sought),
    findAppsByName(registry, sought),
    findDevelopersByText(registry, sought),
    findHosts(registry, sought),
    findWebhooksByText(registry, sought),
  ]);
  // What is found by its id may be found by its name too.
  const unique = new Map(
    found
      .flat()
      .toReversed()
      .map((hit) => [hitKey(hit), hit]),
  );
  const hits = [...unique.values()].toReversed();
  const ranked = types.map((type) => hits.filter((hit) => hit.type === type));
  return Array.from({ length: sought.wanted }, (_, rank) => ranked.flatMap((ofType) => ofType[rank] ?? [])).flat();
}

function hitKey(hit: SearchHit): string {
  if (hit.type === 'workspace') return `workspace ${hit.workspaceId}`;
  return `${hit.type} ${hit.type === 'host' ? hit.host : hit.id}`;
}

/** A shorter start would be that of nearly every id. */
const idPartMin = 4;
/** Digits of an id, but not all of them. */
const idPart = /^[0-9a-hjkmnp-tv-z]{4,25}$/;

/**
 * Everything whose id starts with a text, with the prefix of its type or without. A bare UUID may be that of objects of several
 * types.
 */
async function findById(registry: Registry, { text, wanted }: Sought): Promise<SearchHit[]> {
  const id = text.toLowerCase();
  if (id.length < idPartMin) return [];
  const found = await Promise.all(
    finders(registry).map(async ({ prefix, list, find }) => {
      const whole = toTypeId(id, prefix);
      if (whole !== null) return find([whole]);
      const range = idRange(id, prefix);
      return range === null ? [] : find(await list(range, wanted));
    }),
  );
  return found.flat();
}

interface Finder {
  prefix: string;
  /** The first ids in a range. */
  list(range: IdRange, limit: number): Promise<string[]>;
  /** The existing ones of these ids. */
  find(ids: string[]): Promise<SearchHit[]>;
}

function finders(registry: Registry): Finder[] {
  const { reader } = registry.storage;
  const listOf = (type: Parameters<typeof listIds>[1]['type']) => (range: IdRange, limit: number) =>
    listIds(reader, { type, ...range, limit });
  const each = (find: (id: string) => Promise<SearchHit | null>) => async (ids: string[]) =>
    (await Promise.all(ids.map(find))).filter((hit) => hit !== null);
  return [
    { prefix: 'app', list: listOf('app'), find: (ids) => appHits(registry, ids) },
    { prefix: registry.userIdPrefix, list: listOf('developer'), find: (ids) => developerHits(registry, ids) },
    {
      prefix: registry.workspaceIdPrefix,
      list: (range, limit) => listWorkspaceIds(registry, range, limit),
      find: each(async (workspaceId) => {
        const row = await findInstalledWorkspace(reader, { first: workspaceId, last: workspaceId });
        return row && { type: 'workspace', workspaceId };
      }),
    },
    {
      prefix: 'installation',
      list: listOf('installation'),
      find: each(async (id) => {
        const row = await findInstallation(reader, { id });
        return row && { type: 'installation', id, appId: row.app_id, workspaceId: row.workspace_id };
      }),
    },
    {
      prefix: 'logo',
      list: listOf('logo'),
      find: each(async (id) => {
        const row = await findLogoOwner(reader, { id });
        return row && { type: 'logo', id, developerId: row.developer_id };
      }),
    },
    {
      prefix: 'webhook',
      list: listOf('webhook'),
      find: each(async (id) => {
        const row = await findWebhook(reader, { id });
        return row && webhookHit(row);
      }),
    },
    {
      prefix: 'token',
      list: listOf('token'),
      find: each(async (id) => {
        const row = await findAccessToken(reader, { id });
        return row && { type: 'token', id, kind: row.kind, ...(row.name !== null && { name: row.name }) };
      }),
    },
  ];
}

/** One after another, because a workspace may have any number of installations. */
async function listWorkspaceIds({ storage }: Registry, { first, last }: IdRange, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let from = first; ids.length < limit; ) {
    const row = await findInstalledWorkspace(storage.reader, { first: from, last });
    if (!row) break;
    ids.push(row.workspace_id);
    from = `${row.workspace_id}0`;
  }
  return ids;
}

/** What to find, and how many of it. */
interface Sought {
  text: string;
  wanted: number;
}

type HitOf<Kind extends SearchHit['type']> = Extract<SearchHit, { type: Kind }>;

/** Apps whose name is or starts with a text, in the order of their names, and then those whose name contains its words. */
async function findAppsByName(registry: Registry, { text, wanted }: Sought): Promise<HitOf<'app'>[]> {
  const key = nameKey(text);
  if (key === '') return [];
  const { rows } = await listAppPage(
    registry.storage.reader,
    { nameKeyPrefix: key },
    { limit: wanted, sorting: { order: ['name_key', 'id'] } },
  );
  if (rows.length === wanted) return rows.map(appHit);
  const found = await findTexts(registry, { column: 'name', words: distinctWords(searchKey(text)), wanted });
  const others = found.map(({ subject_id: id }) => id).filter((id) => !rows.some((row) => row.id === id));
  const hits = [...rows.map(appHit), ...(await appHits(registry, others))];
  return hits.length > 0 ? hits : appHits(registry, await findIdsByPart(registry, { prefix: 'app', text, wanted }));
}

/** Ids of one prefix that contain a text, unless some start with it, which `findById` finds. */
async function findIdsByPart(
  { storage }: Registry,
  { prefix, text, wanted }: Sought & { prefix: string },
): Promise<string[]> {
  const part = text.toLowerCase();
  if (!idPart.test(part)) return [];
  const range = idRange(part, prefix);
  // A time, with which all ids of a day start, would be read in most of them.
  if (range && (await listIds(storage.reader, { type: 'app', ...range, limit: 1 })).length > 0) return [];
  const found = await listSearchTexts(storage, { column: 'subject_id', parts: [part], limit: comparedMax });
  const ids = found.map(({ subject_id: id }) => id).filter((id) => id.startsWith(`${prefix}_`));
  return ids.toSorted().slice(0, wanted);
}

/** The existing and the restorable ones of these apps, in their order. */
async function appHits(registry: Registry, ids: string[]): Promise<HitOf<'app'>[]> {
  const { reader } = registry.storage;
  const [apps, deleted] = await Promise.all([listFoundApps(reader, ids), listFoundDeletedApps(reader, ids)]);
  const restorable = deleted.filter(({ deleted_at: at }) => isRestorable(at, registry.now()));
  const hits = [
    ...apps.map(appHit),
    ...restorable.map((row) => ({ ...appHit(appOfDeleted(row)), deletedAt: dateTime(row.deleted_at) })),
  ];
  const hitOf = new Map(hits.map((hit) => [hit.id, hit]));
  return ids.flatMap((id) => hitOf.get(id) ?? []);
}

function appHit(app: Pick<AppRow, 'id' | 'name' | 'review_status' | 'developer_id'>): HitOf<'app'> {
  return {
    type: 'app',
    id: app.id,
    name: app.name,
    reviewStatus: app.review_status,
    developerId: app.developer_id,
  };
}

/** Developers whose email address and names contain the words of a text. */
async function findDevelopersByText(registry: Registry, { text, wanted }: Sought): Promise<HitOf<'developer'>[]> {
  const found = await findTexts(registry, { column: 'person', words: distinctWords(searchKey(text)), wanted });
  const ids = found.map(({ subject_id: id }) => id);
  const byId = { prefix: registry.userIdPrefix, text, wanted };
  return developerHits(registry, ids.length > 0 ? ids : await findIdsByPart(registry, byId));
}

/** The existing ones of these developers, in their order. */
async function developerHits({ storage }: Registry, ids: string[]): Promise<HitOf<'developer'>[]> {
  const rows = await listFoundDevelopers(storage.reader, ids);
  const rowOf = new Map(rows.map((row) => [row.user_id, row]));
  return ids.flatMap((id) => rowOf.get(id) ?? []).map(developerHit);
}

function developerHit(row: DeveloperRow): HitOf<'developer'> {
  const { suspensionReason: _, ...developer } = operatorDeveloperView(row);
  return { type: 'developer', ...developer };
}

/** Hosts of apps that contain each word of a text, those that start with the first of them first, and of these the shortest. */
async function findHosts(registry: Registry, { text, wanted }: Sought): Promise<HitOf<'host'>[]> {
  const words = distinctWords(text).map((word) => (urlHost(word) ?? readHost(word))?.name ?? word.toLowerCase());
  const [first = ''] = words;
  if (first === '') return [];
  const found = await findTexts(registry, { column: 'hosts', words, wanted: hostAppsMax });
  const hosts = found.flatMap(({ text: hostsOfApp }) => hostsOfApp.trim().split(' '));
  const matching = [...new Set(hosts)].filter((host) => words.every((word) => host.includes(word)));
  return matching
    .toSorted((one, other) => one.indexOf(first) - other.indexOf(first) || shorterFirst(one, other))
    .slice(0, wanted)
    .map((host) => ({ type: 'host', host }));
}

/** Webhooks whose name or address contains the words of a text, among the first 1,000. */
async function findWebhooksByText({ storage }: Registry, { text, wanted }: Sought): Promise<HitOf<'webhook'>[]> {
  const words = distinctWords(searchKey(text));
  const rows = await listWebhookNames(storage.reader, { limit: webhooksMax });
  const found = rows.filter(({ name, url, id }) => {
    const searched = searchKey(`${name ?? ''} ${url} ${id}`);
    return words.length > 0 && words.every((word) => searched.includes(word));
  });
  return found.slice(0, wanted).map(webhookHit);
}

function webhookHit({ id, url, name }: Pick<WebhookRow, 'id' | 'url' | 'name'>): HitOf<'webhook'> {
  return { type: 'webhook', id, url, ...(name !== null && { name }) };
}

interface WordSearch {
  column: TextSearch['column'];
  /** Search keys. */
  words: string[];
  wanted: number;
}

/** The texts that contain all words, those in which each starts a word first, and of these the shortest. */
async function findTexts({ storage }: Registry, { column, words, wanted }: WordSearch): Promise<FoundText[]> {
  if (words.length === 0) return [];
  const found = new Map<string, FoundText>();
  for (const parts of [words.map(startOfWord), words.map((word) => (isLetter(word) ? startOfWord(word) : word))]) {
    if (found.size >= wanted) break;
    const texts = await listSearchTexts(storage, { column, parts, limit: comparedMax });
    for (const text of texts.toSorted(shortestFirst)) if (!found.has(text.subject_id)) found.set(text.subject_id, text);
  }
  return [...found.values()].slice(0, wanted);
}

/** The words of a text, without any that another contains. */
function distinctWords(text: string): string[] {
  const words = [...new Set(text.split(/\s+/).filter(Boolean))];
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
}

/** Each word of a stored text follows a space. */
function startOfWord(word: string): string {
  return ` ${word}`;
}

/** One letter is in nearly every text. In scripts without spaces it may be a word. */
function isLetter(word: string): boolean {
  return /^[\p{ASCII}\p{Script=Latin}]$/u.test(word);
}

/** Of equal texts, the older object: each engine finds them in another order. */
function shortestFirst(one: FoundText, other: FoundText): number {
  return shorterFirst(one.text, other.text) || (one.subject_id < other.subject_id ? -1 : 1);
}

function shorterFirst(one: string, other: string): number {
  return one.length - other.length || Number(one > other) - Number(one < other);
}

import { checkSchema } from '../../storage/check-schema.ts';
import { streamDeletedApps } from '../../storage/queries/deleted-apps.ts';
import { streamIdempotentResponses, streamLogoBlocks, streamTokens } from '../../storage/queries/invariants.ts';
import { streamApps, streamDevelopers, streamInstallations } from '../../storage/queries/table-rows.ts';
import type { Snapshot } from '../../storage/snapshot.ts';
import type { ArchiveFile } from '../events/archive/archive-file.ts';
import { archiveFindings } from '../events/archive/check-archives.ts';
import type { Registry } from '../registry.ts';
import { readSettings } from '../stored-settings.ts';
import { checksBetweenRows } from './check-between-rows.ts';
import { deletedAppFindings } from './check-deleted-app.ts';
import { shownLogoFindings } from './check-logos.ts';
import {
  appFindings,
  developerFindings,
  type Finding,
  idFindings,
  installationFindings,
  logoFindings,
  responseFindings,
} from './check-row.ts';
import { isReadable, schemaFindings } from './check-schema.ts';

const listedMax = 1_000;

/** How many objects were checked. */
interface CheckedObjects {
  developers: number;
  logos: number;
  apps: number;
  deletedApps: number;
  installations: number;
  tokens: number;
  /** Events in the given archives. */
  archivedEvents?: number;
}

export interface CheckedRegistry extends CheckedObjects {
  /** Only after a rollback: the schema version of a newer app-registry, whose schema this one cannot compare. */
  uncomparedSchemaVersion?: number;
}

/** The schema or the stored rows violate the rules of the registry. */
export class InconsistentRegistry extends Error {
  override readonly name = 'InconsistentRegistry';
  /** The first 1,000. */
  readonly findings: Finding[];

  constructor(count: number, findings: Finding[]) {
    const listed = count > findings.length ? `, of which the first ${findings.length} are listed` : '';
    const total = count === 1 ? 'one inconsistency' : `${count} inconsistencies`;
    super(`The registry has ${total}${listed}. Nothing was changed. Restore a backup, or correct what is listed.`);
    this.findings = findings;
  }
}

/**
 * Checks the registry at one moment, in constant memory: the schema is that of the migrations, counts equal rows, references exist, logos belong to their
 * developers, ids are TypeIDs of their kind, names have keys and are unique, revisions are consistent, deleted apps can
 * be restored, installations that wait for an approval are disabled, and each object has the event of its creation.
 * Archives of events, if given, follow each other up to the events in the database.
 * Throws `InconsistentRegistry` otherwise, and `ArchiveRefused` for a damaged archive.
 */
export async function checkRegistry(registry: Registry, archives: ArchiveFile[] = []): Promise<CheckedRegistry> {
  const checked: CheckedRegistry = { developers: 0, logos: 0, apps: 0, deletedApps: 0, installations: 0, tokens: 0 };
  const listed: Finding[] = [];
  let count = 0;
  const work = (snapshot: Snapshot) => findings(registry, snapshot, { checked, archives });
  for await (const batch of registry.storage.snapshot(work)) {
    listed.push(...batch.slice(0, listedMax - listed.length));
    count += batch.length;
  }
  if (count > 0) throw new InconsistentRegistry(count, listed);
  return checked;
}

async function* findings(
  registry: Registry,
  snapshot: Snapshot,
  { checked, archives }: { checked: CheckedRegistry; archives: ArchiveFile[] },
): AsyncGenerator<Finding[], undefined> {
  const each = async function* <Row>(
    type: Exclude<keyof CheckedObjects, 'archivedEvents'>,
    batches: AsyncIterable<Row[]>,
    check: (row: Row) => Finding[],
  ) {
    for await (const rows of batches) {
      checked[type] += rows.length;
      yield rows.flatMap(check);
    }
  };
  const schema = await checkSchema(registry.storage, snapshot);
  if (schema.isNewer) checked.uncomparedSchemaVersion = schema.version;
  yield schemaFindings(schema);
  if (!isReadable(schema)) return;
  const { uniqueNames } = await readSettings(snapshot);
  yield* each('developers', streamDevelopers(snapshot, {}), (row) => developerFindings(registry, row));
  yield* each('logos', streamLogoBlocks(snapshot, {}), logoFindings);
  yield* each('apps', streamApps(snapshot, {}), (row) => appFindings(row, { uniqueNames, at: `/apps/${row.id}` }));
  yield* each('deletedApps', streamDeletedApps(snapshot, {}), deletedAppFindings);
  yield* each('installations', streamInstallations(snapshot, {}), (row) => installationFindings(registry, row));
  yield* each('tokens', streamTokens(snapshot, {}), ({ id }) =>
    idFindings(`/access_tokens/${id}`, { id: ['token', id] }),
  );
  yield* shownLogoFindings(snapshot);
  for await (const rows of streamIdempotentResponses(snapshot, {})) yield rows.flatMap(responseFindings);
  for (const check of checksBetweenRows) yield* check(snapshot);
  if (archives.length > 0) checked.archivedEvents = yield* archiveFindings(snapshot, archives);
}

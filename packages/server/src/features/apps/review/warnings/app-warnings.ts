import type { Reader } from '../../../../storage/query.ts';
import type { AppRow, ProtectedNameRow } from '../../../../storage/tables.ts';
import { listProtectedNames } from '../../../protected-names/protected-name-queries.ts';
import { nameKey, readableApprovedContent } from '../../app-content.ts';
import { approvedInEffect } from '../../next-app.ts';
import { type AppIdentity, type AppWarning, comparedFields, identitiesIn, protectedKeysIn } from './comparison-keys.ts';
import { hostOf, hostOfKey } from './hosts.ts';
import { listApprovedIdentities, listLookAlikes } from './look-alike-queries.ts';
import type { ReviewWarning } from './review-warning.ts';
import { mixedScripts } from './skeleton.ts';

/**
 * What a reviewer should look at in each of a page of apps (decision 28b), by their ids: in a bounded number of queries,
 * however many other apps there are. An app without warnings has an empty list.
 */
export async function warningsOf(reader: Reader, apps: AppRow[]): Promise<Map<string, ReviewWarning[]>> {
  const identities = apps.flatMap((app) => identitiesIn(app).map((identity): AppIdentity => ({ app, ...identity })));
  const compared = await Promise.all([
    lookAlikeWarnings(reader, identities),
    protectedNameWarnings(reader, identities),
  ]);
  const warnings = new Map(apps.map((app) => [app.id, ownWarnings(app)]));
  for (const { app, warning } of compared.flat()) warnings.get(app.id)?.push(warning);
  return warnings;
}

/** The warnings that follow from an app alone. */
function ownWarnings(app: AppRow): ReviewWarning[] {
  const approved = readableApprovedContent(app) && approvedInEffect(app);
  return comparedFields.flatMap(({ column, comparedAs, path: field }) => {
    const text = app[column];
    if (text === null) return [];
    if (comparedAs === 'name') return nameWarnings(text, field);
    return hostWarnings(text, { field, approved: approved && { url: approved[column] } });
  });
}

function nameWarnings(name: string, field: string): ReviewWarning[] {
  const scripts = mixedScripts(name);
  if (scripts.length === 0) return [];
  return [{ code: 'name_mixes_scripts', field, detail: `The name mixes letters of ${listOf(scripts)}.` }];
}

function hostWarnings(
  url: string,
  { field, approved }: { field: string; approved: { url: string | null } | null },
): ReviewWarning[] {
  const host = hostOf(url);
  if (!host) return [];
  const before = approved && (approved.url === null ? null : hostOf(approved.url));
  const warnings: ReviewWarning[] = [];
  if (approved && before?.name !== host.name) {
    const was = before ? `it was ${before.name}` : 'there was none';
    warnings.push({ code: 'host_changed', field, detail: `The host is ${host.name}. When approved, ${was}.` });
  }
  if (host.isIpAddress) {
    warnings.push({ code: 'host_is_ip_address', field, detail: `The host is the IP address ${host.name}.` });
  }
  if (host.isPunycode) {
    warnings.push({ code: 'host_is_punycode', field, detail: `The host ${host.name} reads as ${host.unicode}.` });
  }
  return warnings;
}

function listOf(names: string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The approved app of another developer that a name or host resembles, or shares. */
interface Finding {
  identity: AppIdentity;
  otherId: string;
  isSame: boolean;
}

type Other = Awaited<ReturnType<typeof listApprovedIdentities>>[number];

/** The names and hosts that approved apps of other developers have too, or that look like theirs. One of each is named. */
async function lookAlikeWarnings(reader: Reader, identities: AppIdentity[]): Promise<AppWarning[]> {
  // The login and the callback URL of an app often have one host.
  const distinct = [...new Map(identities.map((identity) => [comparedKey(identity), identity])).values()];
  const found = await listLookAlikes(
    reader,
    distinct.map(({ app, kind, value, skeleton }) => ({ kind, value, skeleton, developer_id: app.developer_id })),
  );
  const foundOf = new Map(distinct.map((identity, at) => [comparedKey(identity), found[at]]));
  const findings = identities.flatMap((identity) => findingsOf(identity, foundOf.get(comparedKey(identity))));
  const others = await listApprovedIdentities(reader, [...new Set(findings.map(({ otherId }) => otherId))]);
  return findings.flatMap((finding) => {
    const other = others.find((one) => isFound(one, finding));
    // It may have changed between the queries.
    return other ? [lookAlikeWarning(finding, other)] : [];
  });
}

function comparedKey({ app, kind, value, skeleton }: AppIdentity): string {
  return JSON.stringify([app.developer_id, kind, value, skeleton]);
}

function findingsOf(
  identity: AppIdentity,
  found: { same_id: string | null; similar_id: string | null } | undefined,
): Finding[] {
  const same = found?.same_id ?? null;
  const similar = found?.similar_id ?? null;
  return [
    ...(same === null ? [] : [{ identity, otherId: same, isSame: true }]),
    ...(similar === null ? [] : [{ identity, otherId: similar, isSame: false }]),
  ];
}

function isFound(other: Other, { identity, otherId, isSame }: Finding): boolean {
  const isAlike = other.app_id === otherId && other.kind === identity.kind && other.skeleton === identity.skeleton;
  return isAlike && (other.value === identity.value) === isSame;
}

function lookAlikeWarning({ identity, isSame }: Finding, other: Other): AppWarning {
  const { app, kind, text, field } = identity;
  const owner = `${other.app_id} of ${other.developer_id}`;
  const about = { field: field.path, otherAppId: other.app_id };
  if (kind === 'name') {
    const name = nameKey(other.name) === other.value ? other.name : other.value;
    const detail = `The name ${isSame ? 'is that' : `looks like ${JSON.stringify(name)}, the name`} of ${owner}.`;
    return { app, warning: { code: 'name_resembles', detail, ...about } };
  }
  if (isSame) {
    return { app, warning: { code: 'host_shared', detail: `The host ${text} is also that of ${owner}.`, ...about } };
  }
  const detail = `The host ${text} looks like ${hostOfKey(other.value)}, a host of ${owner}.`;
  return { app, warning: { code: 'host_resembles', detail, ...about } };
}

/** The names and hosts that are protected, or look as if they were, and that the developer may not use. */
async function protectedNameWarnings(reader: Reader, identities: AppIdentity[]): Promise<AppWarning[]> {
  const sought = identities.map((identity) => ({ identity, keys: new Set(protectedKeysIn(identity)) }));
  const keysOf = (kind: AppIdentity['kind']) =>
    new Set(sought.filter(({ identity }) => identity.kind === kind).flatMap(({ keys }) => [...keys]));
  const lists = await Promise.all(
    (['name', 'host'] as const).map((kind) => listProtectedNames(reader, { kind, keys: [...keysOf(kind)] })),
  );
  const found = lists.flat();
  return sought.flatMap(({ identity, keys }) =>
    found
      .filter((one) => one.kind === identity.kind && keys.has(one.key) && !isAllowed(identity, one))
      .map((one) => protectedNameWarning(identity, one)),
  );
}

function isAllowed({ app }: AppIdentity, { developer_ids }: ProtectedNameRow): boolean {
  const allowed: string[] = JSON.parse(developer_ids);
  return allowed.includes(app.developer_id);
}

function protectedNameWarning(
  { app, kind, text, value: key, field }: AppIdentity,
  { value, note }: ProtectedNameRow,
): AppWarning {
  const noted = note === null ? '' : ` Note: ${note}`;
  if (kind === 'name') {
    const does = nameKey(text).includes(nameKey(value)) ? 'contains' : 'looks as if it contains';
    const detail = `The name ${does} the protected name ${JSON.stringify(value)}.${noted}`;
    return { app, warning: { code: 'name_protected', detail, field: field.path } };
  }
  const host = hostOfKey(key);
  const is = host === value || host.endsWith(`.${value}`) ? 'is protected' : 'looks like a protected one';
  return {
    app,
    warning: { code: 'host_protected', detail: `The host ${text} ${is}: ${value}.${noted}`, field: field.path },
  };
}

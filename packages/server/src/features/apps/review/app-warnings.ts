import type { Reader } from '../../../storage/query.ts';
import type { AppRow, ProtectedNameRow } from '../../../storage/tables.ts';
import { nameKey, readableApprovedContent } from '../app-content.ts';
import {
  type AppKey,
  type AppWarning,
  comparedFields,
  comparisonKeysIn,
  protectedKeysIn,
} from '../comparison/comparison-keys.ts';
import { hostOfKey, siteOf, urlHost } from '../comparison/hosts.ts';
import {
  type Compared,
  listApprovedComparisonKeys,
  listLookAlikes,
  listProtectedNames,
} from '../comparison/look-alike-queries.ts';
import { mixedScripts } from '../comparison/skeleton.ts';
import { approvedInEffect } from '../next-app.ts';
import type { ReviewWarning } from './review-warning.ts';

/**
 * What a reviewer should look at in each of a page of apps, by their ids: in a bounded number of queries,
 * however many other apps there are. An app without warnings has an empty list.
 */
export async function listWarnings(reader: Reader, apps: AppRow[]): Promise<Map<string, ReviewWarning[]>> {
  const comparisonKeys = apps.flatMap((app) => comparisonKeysIn(app).map((compared): AppKey => ({ app, ...compared })));
  const found = await Promise.all([
    lookAlikeWarnings(reader, comparisonKeys),
    protectedNameWarnings(reader, comparisonKeys),
  ]);
  const warnings = new Map(apps.map((app) => [app.id, ownWarnings(app)]));
  for (const { app, warning } of found.flat()) warnings.get(app.id)?.push(warning);
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
  return [{ code: 'name_mixes_scripts', field, detail: `The name mixes letters of ${listedNames(scripts)}.` }];
}

function hostWarnings(
  url: string,
  { field, approved }: { field: string; approved: { url: string | null } | null },
): ReviewWarning[] {
  const host = urlHost(url);
  if (!host) return [];
  const before = approved && (approved.url === null ? null : urlHost(approved.url));
  const warnings: ReviewWarning[] = [];
  if (approved && (!before || siteOf(before).name !== siteOf(host).name)) {
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

function listedNames(names: string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The approved app of another developer whose name or site is the same, or looks like it. */
interface Finding {
  compared: AppKey;
  otherId: string;
  isSame: boolean;
}

type Other = Awaited<ReturnType<typeof listApprovedComparisonKeys>>[number];

/** The names and sites that approved apps of other developers have too, or that look like theirs. One of each is named. */
async function lookAlikeWarnings(reader: Reader, comparisonKeys: AppKey[]): Promise<AppWarning[]> {
  // The login and the callback URL of an app often have one host.
  const sought = comparisonKeys.map(({ app, kind, owned, skeleton }) => {
    return JSON.stringify({ kind, owned, skeleton, developer_id: app.developer_id });
  });
  const distinct = [...new Set(sought)];
  const found = await listLookAlikes(
    reader,
    distinct.map((one): Compared => JSON.parse(one)),
  );
  const findings = comparisonKeys.flatMap((compared, at): Finding[] => {
    const { same_id = null, similar_id = null } = found[distinct.indexOf(sought[at] ?? '')] ?? {};
    return [
      ...(same_id === null ? [] : [{ compared, otherId: same_id, isSame: true }]),
      ...(similar_id === null ? [] : [{ compared, otherId: similar_id, isSame: false }]),
    ];
  });
  const others = await listApprovedComparisonKeys(reader, [...new Set(findings.map(({ otherId }) => otherId))]);
  return findings.flatMap((finding) => {
    const { compared, otherId, isSame } = finding;
    const alike = others.filter(({ app_id: id, skeleton }) => id === otherId && skeleton === compared.skeleton);
    const owned = alike.filter((one) => one.kind === compared.kind && isOwnedAlike(compared, one.value) === isSame);
    const other = owned.find(({ value }) => value === compared.value) ?? owned[0];
    // It may have changed between the queries.
    return other ? [lookAlikeWarning(finding, other)] : [];
  });
}

/** Whether a value with the same skeleton is of the same name or site. */
function isOwnedAlike({ kind, owned }: AppKey, value: string): boolean {
  return kind === 'host' ? value.startsWith(owned) : value === owned;
}

function lookAlikeWarning({ compared, isSame }: Finding, other: Other): AppWarning {
  const { app, kind, text, value, field } = compared;
  const owner = `${other.app_id} of ${other.developer_id}`;
  const about = { field: field.path, otherAppId: other.app_id };
  if (kind === 'name') {
    const name = nameKey(other.name) === other.value ? other.name : other.value;
    const detail = `The name ${isSame ? 'is that' : `looks like ${JSON.stringify(name)}, the name`} of ${owner}.`;
    return { app, warning: { code: 'name_resembles', detail, ...about } };
  }
  const host = hostOfKey(other.value);
  if (isSame) {
    const shared = value === other.value ? 'is also that' : `is of the same site as ${host}, a host`;
    return { app, warning: { code: 'host_shared', detail: `The host ${text} ${shared} of ${owner}.`, ...about } };
  }
  const detail = `The site of the host ${text} looks like that of ${host}, a host of ${owner}.`;
  return { app, warning: { code: 'host_resembles', detail, ...about } };
}

/** The names and hosts that are protected, or look as if they were, and that the developer may not use. */
async function protectedNameWarnings(reader: Reader, comparisonKeys: AppKey[]): Promise<AppWarning[]> {
  const sought = comparisonKeys.map((compared) => ({ compared, keys: new Set(protectedKeysIn(compared)) }));
  const keysOf = (kind: AppKey['kind']) =>
    new Set(sought.filter(({ compared }) => compared.kind === kind).flatMap(({ keys }) => [...keys]));
  const lists = await Promise.all(
    (['name', 'host'] as const).map((kind) => listProtectedNames(reader, { kind, keys: [...keysOf(kind)] })),
  );
  const found = lists.flat();
  return sought.flatMap(({ compared, keys }) =>
    found
      .filter((one) => one.kind === compared.kind && keys.has(one.key) && !isAllowed(compared, one))
      .map((one) => protectedNameWarning(compared, one)),
  );
}

function isAllowed({ app }: AppKey, { developer_ids }: ProtectedNameRow): boolean {
  const allowed: string[] = JSON.parse(developer_ids);
  return allowed.includes(app.developer_id);
}

function protectedNameWarning(
  { app, kind, text, value: key, field }: AppKey,
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

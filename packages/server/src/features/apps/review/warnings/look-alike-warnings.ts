import type { Reader } from '../../../../storage/statement.ts';
import { nameKey } from '../../name-key.ts';
import { hostOfKey } from './hosts.ts';
import type { AppIdentity, AppWarning } from './identities.ts';
import { listApprovedIdentities, listLookAlikes } from './look-alike-queries.ts';

/** The approved app of another developer that a name or host resembles, or shares. */
interface Finding {
  identity: AppIdentity;
  otherId: string;
  isSame: boolean;
}

type Other = Awaited<ReturnType<typeof listApprovedIdentities>>[number];

/** The names and hosts that approved apps of other developers have too, or that look like theirs. One of each is named. */
export async function lookAlikeWarnings(reader: Reader, identities: AppIdentity[]): Promise<AppWarning[]> {
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

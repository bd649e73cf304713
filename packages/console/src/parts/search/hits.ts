import type { SearchHit } from '@appregistrar/client/operator';
import { hrefOf } from '../../route.ts';
import { nameOf } from '../developer-name.tsx';
import { statusNames } from '../review-status.tsx';

/** How a hit is shown, and the page that it opens. */
export interface ShownHit {
  name: string;
  /** What distinguishes it from others of the same name. */
  detail: string;
  href: string;
}

/** The headings of the types, in the order in which they are found. A later release may find others. */
const groupNames: Record<string, string> = {
  app: 'Apps',
  developer: 'Developers',
  host: 'Hosts of apps',
  workspace: 'Workspaces',
  installation: 'Installations',
  logo: 'Logos',
  webhook: 'Webhooks',
  token: 'Tokens',
};

export interface HitGroup {
  type: string;
  name: string;
  hits: ShownHit[];
}

/** The hits by type, the best of each up to a number, without types that this console does not know. */
export function hitGroups(items: SearchHit[], ofEachMax = Number.POSITIVE_INFINITY): HitGroup[] {
  return Object.entries(groupNames)
    .map(([type, name]) => ({
      type,
      name,
      hits: items
        .filter((hit) => hit.type === type)
        .slice(0, ofEachMax)
        .map(shownHit),
    }))
    .filter(({ hits }) => hits.length > 0);
}

/** The texts that name a hit: who types one of them exactly means it. */
export function namesOf(hit: SearchHit): string[] {
  const { id, email, host, workspaceId, url } = hit as Partial<Record<string, string>>;
  // An installation is in a workspace that others are in too.
  const own = hit.type === 'installation' ? [id] : [shownHit(hit).name, id, email, host, url, workspaceId];
  return own.filter((name) => name !== undefined);
}

export function shownHit(hit: SearchHit): ShownHit {
  switch (hit.type) {
    case 'app':
      return hit.deletedAt === undefined
        ? { name: hit.name, detail: statusNames[hit.reviewStatus], href: hrefOf(['apps', hit.id]) }
        : {
            name: hit.name,
            detail: 'Deleted',
            href: hrefOf(['apps'], { show: 'deleted', developerId: hit.developerId }),
          };
    case 'developer': {
      const name = nameOf(hit);
      // One without a name has the email address as the name.
      const details = [name !== hit.email && hit.email, hit.suspendedAt !== undefined && 'suspended'];
      return { name, detail: details.filter(Boolean).join(', '), href: hrefOf(['developers', hit.id]) };
    }
    case 'host':
      return { name: hit.host, detail: 'Apps at this host', href: hrefOf(['apps'], { host: hit.host }) };
    case 'workspace':
      return { name: hit.workspaceId, detail: '', href: hrefOf(['workspaces', hit.workspaceId]) };
    case 'installation': {
      const { appId, workspaceId } = hit;
      return {
        name: hit.id,
        detail: `In ${workspaceId}`,
        href: hrefOf(['apps', appId, 'installations'], { workspaceId }),
      };
    }
    case 'logo':
      return { name: hit.id, detail: '', href: hrefOf(['apps'], { show: 'logos', developerId: hit.developerId }) };
    case 'webhook':
      return { name: hit.name ?? hit.url, detail: hit.url, href: hrefOf(['webhooks', hit.id]) };
    case 'token':
      return { name: hit.name ?? hit.id, detail: `For ${hit.kind}s`, href: hrefOf(['tokens', hit.id]) };
  }
}

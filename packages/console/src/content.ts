import type { OperatorApp } from './api/operations.ts';

type Content = Pick<OperatorApp, 'name' | 'logoId' | 'listingInfo' | 'oauthInfo'>;

/** One member of what a developer edits of an app, as it is now and as it was approved. */
interface ContentRow {
  label: string;
  now: string | undefined;
  approved: string | undefined;
  hasChanged: boolean;
}

interface Member {
  label: string;
  read: (content: Content) => string | undefined;
}

/** By their names in the operator API. */
const members: Record<string, Member> = {
  name: { label: 'Name', read: ({ name }) => name },
  logoId: { label: 'Logo', read: ({ logoId }) => logoId },
  'listingInfo.shortDescription': {
    label: 'Short description',
    read: ({ listingInfo }) => listingInfo.shortDescription,
  },
  'listingInfo.longDescription': { label: 'Long description', read: ({ listingInfo }) => listingInfo.longDescription },
  'listingInfo.backgroundColor': { label: 'Background colour', read: ({ listingInfo }) => listingInfo.backgroundColor },
  'oauthInfo.loginUrl': { label: 'Sign-in address', read: ({ oauthInfo }) => oauthInfo.loginUrl },
  'oauthInfo.callbackUrl': { label: 'Callback address', read: ({ oauthInfo }) => oauthInfo.callbackUrl },
};

/** The content of an app, beside what was approved of it if it ever was. */
export function contentRows(app: OperatorApp): ContentRow[] {
  return Object.values(members).map(({ label, read }) => {
    const now = read(app);
    const approved = app.approved && read(app.approved);
    return { label, now, approved, hasChanged: app.approved !== undefined && now !== approved };
  });
}

/** What events tell besides content. */
const otherLabels: Record<string, string> = {
  changedSinceApproval: 'Other than approved',
  developerId: 'Developer',
  disableInstallations: 'Disables installations',
  enabled: 'Is enabled',
  reason: 'Reason',
  reviewStatus: 'Status',
  revision: 'Revision',
  userId: 'Installed by',
  workspaceId: 'Workspace',
};

/** What a person calls a member; its own name where this console does not know it. */
export function labelOf(member: string): string {
  return members[member]?.label ?? otherLabels[member] ?? member;
}

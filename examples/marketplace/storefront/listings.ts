import { type PlatformApp, PlatformClient } from '@appregistrar/client';
import { effectiveContent, OperatorClient } from '@appregistrar/client/operator';
import { sync } from '@appregistrar/client/sync';
import { required } from '../web/required.ts';

/** Manages installations and reads apps. It has the scopes `read` and `install`, and cannot change an app. */
export const operator = new OperatorClient({ baseUrl: required('OPERATOR_URL'), token: required('OPERATOR_TOKEN') });
const platform = new PlatformClient({ baseUrl: required('REGISTRY_URL'), token: required('PLATFORM_TOKEN') });
/** It stays as it is while the registry cannot be reached, and then reconnects. */
const copy = await sync(operator, {
  onError: (error) => console.error(`storefront: ${error instanceof Error ? error.message : error}`),
});

/** An approved app as customers may see it: without the email address of its developer. */
export interface Listing {
  id: string;
  name: string;
  logoUrl: string | undefined;
  developer: string;
  shortDescription: string | undefined;
  longDescription: string | undefined;
  backgroundColor: string;
  loginUrl: string | undefined;
  callbackUrl: string | undefined;
}

/** Every app by its last response of Get App, which is read again by its `etag`. */
const responses = new Map<string, { data: PlatformApp; etag: string | undefined }>();

/** The approved apps whose name or description has all words of a search, by name. */
export async function search(text: string): Promise<Listing[]> {
  const words = text.toLowerCase().split(/\s+/);
  const found = copy.apps().filter((app) => {
    const effective = effectiveContent(app);
    if (!effective) return false;
    const { shortDescription, longDescription } = effective.listingInfo;
    const searched = `${effective.name} ${shortDescription} ${longDescription}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  const listings = await Promise.all(found.map(({ id }) => listing(id)));
  return listings.filter((item) => item !== undefined).sort((one, other) => one.name.localeCompare(other.name));
}

/** An app, unless it is not approved. */
export async function listing(id: string): Promise<Listing | undefined> {
  const app = copy.app(id);
  const effective = app && effectiveContent(app);
  if (!effective) return undefined;
  const { logoUrl, developer } = await getApp(id);
  const { shortDescription, longDescription, backgroundColor } = effective.listingInfo;
  return {
    id,
    name: effective.name,
    logoUrl,
    developer: [developer.firstName, developer.lastName].filter(Boolean).join(' ') || 'A developer',
    shortDescription,
    longDescription,
    backgroundColor,
    loginUrl: effective.oauthInfo.loginUrl,
    callbackUrl: effective.oauthInfo.callbackUrl,
  };
}

/** The installation of an app in a workspace, as it is now. */
export async function installationOf(appId: string, workspaceId: string) {
  const { installations } = await getApp(appId);
  return installations.find((installation) => installation.workspaceId === workspaceId);
}

async function getApp(id: string): Promise<PlatformApp> {
  const cached = responses.get(id);
  const result = await platform.apps.get(id, { ifNoneMatch: cached?.etag });
  if (result.notModified && cached) return cached.data;
  if (result.notModified) throw new Error('Get App returned a 304 to a request without an etag.');
  responses.set(id, { data: result.data, etag: result.etag });
  return result.data;
}

import type { AppUpdate, NewApp } from '../../contract/app-update.ts';
import { findLogoOfDeveloper } from '../../storage/queries/logos.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppContent, AppRow } from '../../storage/tables.ts';
import { Failure, throwIfInvalid } from '../failure.ts';

const emptyContent: Omit<AppContent, 'name'> = {
  logo_id: null,
  short_description: null,
  long_description: null,
  background_color: '#ffffff',
  login_url: null,
  callback_url: null,
};

/** Every column of the content. */
export const allContent = ['name', ...(Object.keys(emptyContent) as (keyof typeof emptyContent)[])] as const;

/** The content of a new app. */
export function contentOf(app: Pick<NewApp, 'name' | 'logoId' | 'listingInfo' | 'oauthInfo'>): AppContent {
  return { ...emptyContent, name: app.name, ...givenContent(app) };
}

/** The columns that an update gives a value: an absent member gives none, null removes (interface 2.8). */
export function givenContent({ name, logoId, listingInfo, oauthInfo }: AppUpdate): Partial<AppContent> {
  const values: Record<string, string | null | undefined> = {
    name,
    logo_id: logoId,
    short_description: listingInfo?.shortDescription,
    long_description: listingInfo?.longDescription,
    background_color: listingInfo?.backgroundColor,
    login_url: oauthInfo?.loginUrl,
    callback_url: oauthInfo?.callbackUrl,
  };
  const given: typeof values = {};
  for (const column in values) if (values[column] !== undefined) given[column] = values[column];
  return given;
}

/** What an app keeps of the content that is approved, and of which revision it is (decision 24). */
export function approvedColumns(
  content: AppContent,
  revision: number,
): Pick<AppRow, 'approved_content' | 'approved_revision'> {
  return { approved_content: contentText(content), approved_revision: revision };
}

/** The content, without the rest of an app's row, in the one way that `approved_content` holds it. */
export function contentText(content: AppContent): string {
  return JSON.stringify(Object.fromEntries(allContent.map((column) => [column, content[column]])));
}

/** Refuses a logo that does not exist or belongs to another developer (decision 12). */
export async function requireOwnLogo(
  connection: Connection,
  logoId: string | null | undefined,
  developerId: string,
): Promise<void> {
  if (!logoId) return;
  if (await findLogoOfDeveloper(connection, { id: logoId, developerId })) return;
  throwIfInvalid([
    {
      pointer: '/logoId',
      code: 'unusable_logo',
      detail: 'No logo of this developer has this id. Upload the logo first and send the id that it gets.',
    },
  ]);
}

export function nameTaken(): Failure {
  return new Failure('name_taken', 'Another app has this name. Choose a different one.');
}

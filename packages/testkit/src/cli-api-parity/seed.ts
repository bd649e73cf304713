import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { newId } from '../../../server/src/kernel/ids.ts';

const createdAt = '2024-01-01T00:00:00.000Z';
const folder = mkdtempSync(join(tmpdir(), 'cli-api-parity-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The ids in both registries before the first case, by the names that the scenario uses. */
export const ids = {
  ada: newId('user'),
  grace: newId('user'),
  leaving: newId('user'),
  hostile: newId('user'),
  noDeveloper: newId('user'),
  logo: newId('logo'),
  noLogo: newId('logo'),
  draft: newId('app'),
  installedDraft: newId('app'),
  withdrawn: newId('app'),
  awaiting: newId('app'),
  approved: newId('app'),
  changed: newId('app'),
  rejected: newId('app'),
  archived: newId('app'),
  archivedChange: newId('app'),
  hostileDraft: newId('app'),
  hostileAwaiting: newId('app'),
  hostileApproved: newId('app'),
  noApp: newId('app'),
  office: newId('workspace'),
  studio: newId('workspace'),
  closing: newId('workspace'),
  installation: newId('installation'),
  disabled: newId('installation'),
  stranded: newId('installation'),
  hostileInstallation: newId('installation'),
  noInstallation: newId('installation'),
  noToken: newId('token'),
  noWebhook: newId('webhook'),
  noDelivery: newId('delivery'),
};

const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

/** Files to upload: an image, and one that is not an image. */
export const images = { logo: fileOf('logo.png', png), text: fileOf('text.png', 'no image') };

const seed = [
  { type: 'developer', userId: ids.ada, email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', createdAt },
  { type: 'developer', userId: ids.grace, email: 'grace@example.com', createdAt },
  { type: 'developer', userId: ids.hostile, email: 'hostile@example.com', createdAt },
  { type: 'developer', userId: ids.leaving, email: 'leaving@example.com', createdAt },
  { type: 'logo', id: ids.logo, developerId: ids.ada, createdAt, png: png.toString('base64') },
  app(ids.draft, { name: 'Draft' }),
  app(ids.installedDraft, { name: 'Installed Draft' }),
  app(ids.withdrawn, { name: 'Withdrawn', reviewStatus: 'AWAITING_REVIEW' }),
  app(ids.awaiting, { name: 'Awaiting', reviewStatus: 'AWAITING_REVIEW' }),
  app(ids.approved, {
    name: 'Approved',
    reviewStatus: 'APPROVED',
    logoId: ids.logo,
    listingInfo: { backgroundColor: '#0b5fff', shortDescription: 'Keeps things in step.' },
    oauthInfo: { loginUrl: 'https://approved.example/login' },
  }),
  app(ids.changed, {
    name: 'Changed',
    reviewStatus: 'APPROVED',
    revision: 2,
    approved: { name: 'Before', revision: 1 },
  }),
  app(ids.rejected, { name: 'Rejected', reviewStatus: 'REJECTED', rejectionReason: 'It does not respond.' }),
  app(ids.archived, { name: 'Archived', revision: 2 }),
  app(ids.archivedChange, {
    name: 'Archived change',
    reviewStatus: 'APPROVED',
    revision: 3,
    approved: { name: 'Archived before', revision: 1 },
  }),
  app(ids.hostileDraft, { name: 'Hostile Draft', developerId: ids.hostile }),
  app(ids.hostileAwaiting, { name: 'Hostile Awaiting', developerId: ids.hostile, reviewStatus: 'AWAITING_REVIEW' }),
  app(ids.hostileApproved, { name: 'Hostile', developerId: ids.hostile, reviewStatus: 'APPROVED' }),
  installation(ids.hostileInstallation, { appId: ids.hostileApproved, workspaceId: ids.office }),
  installation(ids.installation, { appId: ids.approved, workspaceId: ids.office }),
  installation(ids.disabled, { appId: ids.approved, workspaceId: ids.studio, enabled: false }),
  installation(ids.stranded, { appId: ids.installedDraft, workspaceId: ids.office, enabled: false }),
  installation(newId('installation'), { appId: ids.approved, workspaceId: ids.closing }),
  installation(newId('installation'), { appId: ids.changed, workspaceId: ids.closing }),
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

/** The file to import. */
export const seedFile = fileOf('seed.jsonl', seed);

const typeId = /\b[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;

/** All ids that both registries have. */
export const knownIds: ReadonlySet<string> = new Set((seed + JSON.stringify(ids)).match(typeId));

function app(id: string, content: object): object {
  return { type: 'app', id, developerId: ids.ada, createdAt, ...content };
}

function installation(id: string, content: object): object {
  return { type: 'installation', id, userId: ids.grace, createdAt, ...content };
}

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { newId } from '../../src/kernel/ids.ts';

const createdAt = '2024-01-01T00:00:00.000Z';
const typeId = /\b[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const folder = mkdtempSync(join(tmpdir(), 'operation-fixtures-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

/** Files to upload: an image, and one that is not an image. */
export const images = { logo: fileOf('logo.png', png), text: fileOf('text.png', 'no image') };

const records: { type: string; [field: string]: unknown }[] = [];

/** Ids of which no registry has the object. */
export const none = {
  developer: newId('user'),
  app: newId('app'),
  installation: newId('installation'),
  logo: newId('logo'),
  token: newId('token'),
  webhook: newId('webhook'),
  delivery: newId('delivery'),
  note: newId('note'),
  reasonTemplate: newId('template'),
  protectedName: newId('protected'),
};

// These functions add an object to the registries of all fixtures, and return its id. A fixture that changes an object
// has one of its own.

export function developer(fields: object = {}): string {
  const userId = newId('user');
  records.push({ type: 'developer', userId, email: `${userId.toLowerCase()}@example.com`, createdAt, ...fields });
  return userId;
}

export function logo(fields: object = {}): string {
  return add('logo', newId('logo'), { developerId: ada, png: png.toString('base64'), ...fields });
}

export function app(fields: object = {}): string {
  return add('app', newId('app'), { developerId: ada, name: `App ${records.length}`, ...fields });
}

/** An approved app that has changed since. */
export function changedApp(fields: object = {}): string {
  const approved = { name: `Approved ${records.length}`, revision: 1 };
  return app({ reviewStatus: 'APPROVED', revision: 2, approved, ...fields });
}

export function installation(fields: object = {}): string {
  const workspaceId = newId('workspace');
  return add('installation', newId('installation'), { userId: grace, appId: approved, workspaceId, ...fields });
}

function add(type: string, id: string, fields: object): string {
  records.push({ type, id, createdAt, ...fields });
  return id;
}

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const ada = developer({ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' });
const grace = developer({ email: 'grace@example.com' });
const hostile = developer({ email: 'hostile@example.com' });
const logoId = logo();
const approved = app({
  name: 'Approved',
  reviewStatus: 'APPROVED',
  logoId,
  listingInfo: { backgroundColor: '#0b5fff', shortDescription: 'Keeps things in step.' },
  oauthInfo: { loginUrl: 'https://approved.example/login' },
});
const hostileApproved = app({ name: 'Hostile', developerId: hostile, reviewStatus: 'APPROVED' });
const [office, studio] = [newId('workspace'), newId('workspace')];

/** Objects that fixtures share and do not change. */
export const ids = {
  ada,
  grace,
  logo: logoId,
  draft: app({ name: 'Draft', oauthInfo: { loginUrl: 'https://new.example/in' } }),
  awaiting: app({ name: 'Awaiting', reviewStatus: 'AWAITING_REVIEW' }),
  approved,
  changed: changedApp(),
  rejected: app({ name: 'Rejected', reviewStatus: 'REJECTED', rejectionReason: 'It does not respond.' }),
  /** Apps whose first event is in an archive. */
  archived: app({ name: 'Archived', revision: 2 }),
  archivedChange: changedApp({ revision: 3 }),
  /** Apps that a reviewer has claimed. */
  claimed: app(),
  claimedByOther: app(),
  /** A suspended developer. */
  hostile,
  hostileDraft: app({ developerId: hostile }),
  hostileAwaiting: app({ developerId: hostile, reviewStatus: 'AWAITING_REVIEW' }),
  hostileApproved,
  hostileInstallation: installation({ appId: hostileApproved, workspaceId: office }),
  office,
  studio,
  installation: installation({ workspaceId: office }),
  disabled: installation({ workspaceId: studio, enabled: false }),
};

const order = ['developer', 'logo', 'app', 'installation'];

/** The file to import once all fixtures have been read, and the ids in it and in `ids` and `none`. */
export function allObjects(): { file: string; knownIds: ReadonlySet<string> } {
  const sorted = records.toSorted((one, other) => order.indexOf(one.type) - order.indexOf(other.type));
  const lines = sorted.map((record) => `${JSON.stringify(record)}\n`).join('');
  return {
    file: fileOf('objects.jsonl', lines),
    knownIds: new Set((lines + JSON.stringify([ids, none])).match(typeId)),
  };
}

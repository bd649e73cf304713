const user = '00000000-0000-0000-0000-000000000001';
const app = '00000000-0000-0000-0000-000000000002';
const workspace = '00000000-0000-0000-0000-000000000003';
const createdAt = '2026-03-01T09:30:00.000Z';

/** The TypeID of the app below. */
export const oldAppId = 'app_00000000000000000000000002';

/** Rows for the tables that `docs/backup-and-upgrade.md` imports from. */
export const oldRows = `
  insert into users values ('${user}', 'eve@example.com');
  insert into apps values ('${app}', '${user}', 'Old', null, '${createdAt}');
  insert into installs values ('${app}', '${workspace}', '${user}', '${createdAt}');`;

const records = [
  { type: 'developer', userId: user, email: 'eve@example.com' },
  {
    type: 'app',
    id: app,
    developerId: user,
    name: 'Old',
    oauthInfo: {},
    createdAt,
    reviewStatus: 'APPROVED',
  },
  { type: 'installation', appId: app, workspaceId: workspace, userId: user, createdAt },
];

/** The lines that the statements of the page make of them. */
export const oldLines = records.map((record) => `${JSON.stringify(record)}\n`).join('');

const app = 'app_01jq3v9y6ae0xv5m6b7k8c9d0e';
const developer = 'user_01jq3v8nbtf4mrk6d2m3wz5x7c';

/** A body for each operation that takes JSON, by its id. */
export const bodyExamples: Record<string, object> = {
  createDeveloper: { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
  updateDeveloper: { email: 'ada@lovelace.example', lastName: null },
  suspendDeveloper: { reason: 'The apps send customer data elsewhere.' },
  createApp: {
    developerId: developer,
    name: 'Invoice Sync',
    listingInfo: { shortDescription: 'Keeps invoices and ledgers in step.', backgroundColor: '#0b5fff' },
    oauthInfo: { callbackUrl: 'https://invoice-sync.example/oauth/callback' },
  },
  updateAppAsOperator: { name: 'Invoice Sync', listingInfo: { longDescription: null } },
  transferApp: { developerId: developer },
  createProtectedName: { name: 'Acme', developerIds: [developer], note: 'A trademark: ask for the licence.' },
  claimApp: { takeOver: true },
  createNote: { text: 'The same sender as last week: look at the host of the callback URL.' },
  createReasonTemplate: {
    title: 'Callback does not respond',
    message: 'The callback URL does not respond. Fix it and submit the app again.',
    code: 'broken_address',
  },
  updateReasonTemplate: { title: 'Callback is refused', code: null },
  approveApp: { message: 'Welcome to the marketplace.' },
  rejectApp: {
    code: 'broken_address',
    message: 'The callback URL does not respond.',
    fields: [{ pointer: '/oauthInfo/callbackUrl', message: 'It responds with 404.' }],
    note: 'Tried it from two networks.',
  },
  rejectChange: { code: 'misleading', message: 'The new name is that of another product.' },
  revokeApp: { code: 'spam', message: 'It sends customer data elsewhere.', disableInstallations: true },
  revertApp: { toApproved: true, reason: 'The account of the developer was taken over.' },
  createInstallation: {
    appId: app,
    workspaceId: 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0',
    userId: 'user_01jq3w2x9ge6ab5m6b7k8c9d0e',
  },
  blockLogo: { reason: 'It shows a foreign trademark.' },
  issueToken: { kind: 'operator', scopes: ['review'], name: 'Grace, reviewer', expiresIn: 2_592_000 },
  createWebhook: {
    url: 'https://hooks.example.com/app-registry',
    name: 'Billing',
    types: ['installation.created', 'installation.deleted'],
  },
  updateWebhook: { url: 'https://hooks.example.com/apps', types: null },
  redeliverSince: { since: '2026-03-01T09:30:00.000Z' },
  updateSettings: { uniqueNames: false },
};

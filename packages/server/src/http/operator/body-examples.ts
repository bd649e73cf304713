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
  rejectApp: { reason: 'The callback URL does not respond.' },
  revokeApp: { reason: 'It sends customer data elsewhere.', disableInstallations: true },
  createInstallation: {
    appId: app,
    workspaceId: 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0',
    userId: 'user_01jq3w2x9ge6ab5m6b7k8c9d0e',
  },
  issueToken: { kind: 'operator', scopes: ['review'], name: 'Grace, reviewer', lifeMs: 2_592_000_000 },
  createWebhook: {
    url: 'https://hooks.example.com/app-registry',
    name: 'Billing',
    types: ['installation.created', 'installation.deleted'],
  },
  updateWebhook: { url: 'https://hooks.example.com/apps', types: null },
  redeliverSince: { since: '2026-03-01T09:30:00.000Z' },
  updateSettings: { uniqueNames: false },
};

import type { OperatorOperationId } from '../contract/operations/operator-operations.ts';

/** The command that does each operation of the operator API, by its operationId. */
export const operationCommands: Record<OperatorOperationId, string> = {
  showOverview: 'overview',
  showStatistics: 'statistics',

  listDevelopers: 'developer list',
  createDeveloper: 'developer create',
  showDeveloper: 'developer show',
  showDeveloperRecord: 'developer record',
  updateDeveloper: 'developer update',
  eraseDeveloper: 'developer erase',
  suspendDeveloper: 'developer suspend',
  unsuspendDeveloper: 'developer unsuspend',
  revokeTokensOfDeveloper: 'token revoke',

  listApps: 'app list',
  createApp: 'app create',
  showApp: 'app show',
  updateAppAsOperator: 'app update',
  deleteApp: 'app delete',
  listDeletedApps: 'app list',
  restoreApp: 'app restore',
  transferApp: 'app transfer',

  listReviewQueue: 'app queue',
  submitApp: 'app submit',
  withdrawApp: 'app withdraw',
  approveApp: 'app approve',
  rejectApp: 'app reject',
  rejectChange: 'app reject-change',
  revokeApp: 'app revoke',
  listDecisions: 'app decisions',

  claimApp: 'app claim',
  releaseApp: 'app release',
  listNotes: 'app notes',
  addNote: 'app add-note',
  deleteNote: 'app delete-note',

  listReasonTemplates: 'reason-template list',
  createReasonTemplate: 'reason-template create',
  updateReasonTemplate: 'reason-template update',
  deleteReasonTemplate: 'reason-template delete',

  listProtectedNames: 'protected-name list',
  addProtectedName: 'protected-name add',
  removeProtectedName: 'protected-name remove',
  listRevisions: 'app revisions',
  showRevision: 'app show',
  revertApp: 'app revert',

  listInstallations: 'installation list',
  createInstallation: 'installation create',
  showInstallation: 'installation show',
  enableInstallation: 'installation enable',
  disableInstallation: 'installation disable',
  deleteInstallation: 'installation delete',
  deleteInstallationsOfWorkspace: 'installation delete',

  listLogos: 'logo list',
  addLogo: 'logo add',
  blockLogo: 'logo block',
  unblockLogo: 'logo unblock',
  deleteLogo: 'logo delete',

  listTokens: 'token list',
  issueToken: 'token issue',
  showToken: 'token show',
  listTokenChanges: 'token changes',
  revokeToken: 'token revoke',

  listEvents: 'event list',
  readEventFeed: 'event feed',

  listWebhooks: 'webhook list',
  createWebhook: 'webhook create',
  showWebhook: 'webhook show',
  updateWebhook: 'webhook update',
  deleteWebhook: 'webhook delete',
  rotateWebhookSecret: 'webhook rotate',
  enableWebhook: 'webhook enable',
  disableWebhook: 'webhook disable',
  testWebhook: 'webhook test',
  listDeliveries: 'webhook deliveries',
  redeliverSince: 'webhook redeliver',
  redeliver: 'webhook redeliver',

  showSettings: 'settings list',
  updateSettings: 'settings set',

  showCaller: 'whoami',
};

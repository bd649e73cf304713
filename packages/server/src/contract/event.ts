/** What the registry records of each change (decisions 34 and 35). A union, open to new members. */
export type EventType =
  | 'developer.created'
  | 'app.created'
  | 'app.updated'
  | 'app.submitted'
  | 'app.withdrawn'
  | 'app.approved'
  | 'app.rejected'
  | 'app.revoked'
  | 'installation.created'
  | 'installation.enabled'
  | 'installation.disabled'
  | 'installation.deleted'
  | 'logo.created'
  | 'token.issued'
  | 'token.revoked';

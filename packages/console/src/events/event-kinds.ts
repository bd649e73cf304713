/** The kinds of changes that people look for, by the types of their events. */
export const eventKinds = {
  content: { name: 'Content', types: ['app.created', 'app.updated', 'app.transferred'] },
  review: {
    name: 'Review',
    types: [
      'app.submitted',
      'app.withdrawn',
      'app.approved',
      'app.rejected',
      'app.revoked',
      'app.change_approved',
      'app.change_rejected',
    ],
  },
  installations: {
    name: 'Installations',
    types: [
      'installation.created',
      'installation.updated',
      'installation.enabled',
      'installation.disabled',
      'installation.deleted',
    ],
  },
} as const;
export type EventKind = keyof typeof eventKinds;

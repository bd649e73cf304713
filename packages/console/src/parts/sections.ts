import type { Session } from '../session.ts';

interface Section {
  /** The beginning of the addresses of its pages. */
  path: string;
  name: string;
  /** What its pages need; `read` if absent. */
  scope?: Session['scopes'][number];
}

/** The navigation, in groups. */
export const sectionGroups: { name?: string; sections: Section[] }[] = [
  {
    sections: [
      { path: 'overview', name: 'Overview' },
      { path: 'review', name: 'Review' },
    ],
  },
  {
    name: 'Registry',
    sections: [
      { path: 'apps', name: 'Apps' },
      { path: 'developers', name: 'Developers' },
      { path: 'workspaces', name: 'Workspaces' },
      { path: 'installations', name: 'Installations' },
      { path: 'logos', name: 'Logos' },
      { path: 'events', name: 'Events' },
    ],
  },
  {
    name: 'Integration',
    sections: [
      { path: 'webhooks', name: 'Webhooks', scope: 'admin' },
      { path: 'tokens', name: 'Tokens', scope: 'admin' },
    ],
  },
  {
    name: 'Rules',
    sections: [
      { path: 'templates', name: 'Reason templates' },
      { path: 'protected-names', name: 'Protected names' },
      { path: 'settings', name: 'Settings' },
    ],
  },
];

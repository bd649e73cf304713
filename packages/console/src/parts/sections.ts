import { ClipboardCheck, type IconNode, KeyRound, Layers, LayoutDashboard, Webhook } from 'lucide';
import type { Session } from '../session.ts';

interface Section {
  /** The beginning of the addresses of its pages. */
  path: string;
  name: string;
  icon: IconNode;
  /** What its pages need; `read` if absent. */
  scope?: Session['scopes'][number];
}

/** The navigation, in groups. */
export const sectionGroups: { name?: string; sections: Section[] }[] = [
  {
    sections: [
      { path: 'overview', name: 'Overview', icon: LayoutDashboard },
      { path: 'review', name: 'Review', icon: ClipboardCheck },
    ],
  },
  {
    name: 'Registry',
    sections: [{ path: 'apps', name: 'Apps', icon: Layers }],
  },
  {
    name: 'Integration',
    sections: [
      { path: 'webhooks', name: 'Webhooks', icon: Webhook, scope: 'admin' },
      { path: 'tokens', name: 'Tokens', icon: KeyRound, scope: 'admin' },
    ],
  },
];

import {
  Activity,
  ArchiveRestore,
  Building,
  ClipboardCheck,
  Download,
  type IconNode,
  Image,
  KeyRound,
  Layers,
  LayoutDashboard,
  MessageSquareText,
  Settings,
  ShieldCheck,
  Users,
  Webhook,
} from 'lucide';
import type { Session } from '../session.ts';

interface Section {
  /** The beginning of the URLs of its pages. */
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
    sections: [
      { path: 'apps', name: 'Apps', icon: Layers },
      { path: 'deleted-apps', name: 'Deleted apps', icon: ArchiveRestore },
      { path: 'developers', name: 'Developers', icon: Users },
      { path: 'workspaces', name: 'Workspaces', icon: Building },
      { path: 'installations', name: 'Installations', icon: Download },
      { path: 'logos', name: 'Logos', icon: Image },
      { path: 'events', name: 'Events', icon: Activity },
    ],
  },
  {
    name: 'Integration',
    sections: [
      { path: 'webhooks', name: 'Webhooks', icon: Webhook, scope: 'admin' },
      { path: 'tokens', name: 'Tokens', icon: KeyRound, scope: 'admin' },
    ],
  },
  {
    name: 'Rules',
    sections: [
      { path: 'templates', name: 'Reason templates', icon: MessageSquareText },
      { path: 'protected-names', name: 'Protected names', icon: ShieldCheck },
      { path: 'settings', name: 'Settings', icon: Settings },
    ],
  },
];

import { Activity, Building, ClipboardCheck, type IconNode, KeyRound, Layers, Settings, Users, Webhook } from 'lucide';
import type { Session } from '../session.ts';

interface Section {
  /** The beginning of the URLs of its pages. */
  path: string;
  name: string;
  icon: IconNode;
  /** What its pages need; `read` if absent. */
  scope?: Session['scopes'][number];
}

/** The navigation. */
export const sections: readonly Section[] = [
  { path: 'review', name: 'Review', icon: ClipboardCheck },
  { path: 'apps', name: 'Apps', icon: Layers },
  { path: 'developers', name: 'Developers', icon: Users },
  { path: 'workspaces', name: 'Workspaces', icon: Building },
  { path: 'events', name: 'Activity', icon: Activity },
  { path: 'webhooks', name: 'Webhooks', icon: Webhook, scope: 'admin' },
  { path: 'tokens', name: 'Tokens', icon: KeyRound, scope: 'admin' },
  { path: 'settings', name: 'Settings', icon: Settings },
];

/** The section that people land on. Everyone who can sign in may see it. */
export const home = 'review';

/** Sections of the address that are a part of one in the navigation. */
const partOf: Record<string, string> = { overview: 'events' };

/** The section of the navigation that a page is in. */
export function sectionOf(path: readonly string[]): string {
  const [section = home] = path;
  return partOf[section] ?? section;
}

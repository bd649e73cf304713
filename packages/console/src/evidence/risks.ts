import type { ReviewWarning } from '@appregistrar/client/operator';
import { labelOf } from '../content.ts';

/** A warning in the words of the queue, and as a sentence about its field. */
interface Risk {
  short: (warning: ReviewWarning, field: string) => string;
  sentence: (field: string) => string;
}

/** The warnings of later releases have no words here: their field and their detail are shown. */
const risks: Record<string, Risk> = {
  host_changed: {
    short: (_, field) => `${field.replace(/ URL$/, '')} host`,
    sentence: (field) => `The ${field} moves to a different site`,
  },
  host_shared: {
    short: () => 'Shared host',
    sentence: (field) => `The ${field} has the site of another developer's app`,
  },
  host_resembles: {
    short: () => 'Look-alike host',
    sentence: (field) => `The ${field} looks like the site of another developer's app`,
  },
  host_protected: { short: () => 'Protected host', sentence: (field) => `The ${field} uses a protected host` },
  host_is_ip_address: { short: () => 'IP address', sentence: (field) => `The ${field} has an IP address for a host` },
  host_is_punycode: {
    short: () => 'Host outside ASCII',
    sentence: (field) => `The ${field} has a host with characters outside ASCII`,
  },
  name_resembles: {
    short: ({ detail }) => {
      const [, name] = /looks like "((?:[^"\\]|\\.)*)"/.exec(detail) ?? [];
      return name === undefined ? 'Look-alike name' : `Looks like “${name}”`;
    },
    sentence: (field) => `The ${field} looks like that of another developer's app`,
  },
  name_mixes_scripts: { short: () => 'Mixed scripts', sentence: (field) => `The ${field} mixes scripts` },
  name_protected: { short: () => 'Protected name', sentence: (field) => `The ${field} contains a protected name` },
};

/** "Callback host" */
export function riskInShort(warning: ReviewWarning): string {
  const label = labelOf(warning.field);
  return risks[warning.code]?.short(warning, label) ?? label;
}

/** "The callback URL moves to a different site" */
export function riskSentence({ code, field }: ReviewWarning): string {
  const label = labelOf(field);
  return risks[code]?.sentence(label.charAt(0).toLowerCase() + label.slice(1)) ?? label;
}

/** For whom a warned URL matters, and how: undefined where no workspace uses the app. */
export function consequence(
  { field }: ReviewWarning,
  { workspaces, isInEffect }: { workspaces: number; isInEffect: boolean },
): string | undefined {
  const verb = isInEffect ? '' : 'would ';
  const of = `of ${workspaces.toLocaleString()} ${workspaces === 1 ? 'workspace' : 'workspaces'}`;
  if (workspaces === 0) return undefined;
  if (field === 'oauthInfo.callbackUrl') return `Sign-in codes ${of} ${verb}go there.`;
  return field === 'oauthInfo.loginUrl' ? `Users ${of} ${verb}sign in there.` : undefined;
}

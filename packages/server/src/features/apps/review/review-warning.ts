import Type from 'typebox';
import { AppId } from '../../../kernel/ids.ts';
import { openString } from '../../../kernel/problem-details.ts';

/** What the warnings of review say, by their codes. */
export const reviewWarnings = {
  name_resembles: 'The name looks like that of an approved app of another developer.',
  name_mixes_scripts: 'The name mixes scripts, such as Latin and Cyrillic.',
  name_protected: 'The name contains, or appears to contain, a protected name that the developer may not use.',
  host_changed: 'The site of the URL has changed since the approval.',
  host_shared: 'An approved app of another developer has a host of the same site.',
  host_resembles: 'The site of the host looks like that of an approved app of another developer.',
  host_protected:
    'The host is, or looks like, a protected host or one of its subdomains that the developer may not use.',
  host_is_ip_address: 'The host is an IP address.',
  host_is_punycode: 'The host has characters outside ASCII.',
} as const;
export type ReviewWarningCode = keyof typeof reviewWarnings;

/** Something that a reviewer should look at. It never causes a refusal by itself. */
export const ReviewWarning = Type.Object(
  {
    code: openString(Object.keys(reviewWarnings) as ReviewWarningCode[], {
      description: `A machine-readable code. Later releases may add codes. ${described()}`,
    }),
    detail: Type.String({
      description: 'A human-readable explanation.',
      examples: [
        'The name looks like "Microsoft Office", the name of app_01jq3v9y6ae0xv5m6b7k8c9d0e of user_01jq3v8x5zf0wv4k5a6j7b8c9d.',
      ],
    }),
    field: Type.String({ description: 'The field of the content.', examples: ['oauthInfo.callbackUrl'] }),
    otherAppId: Type.Optional(
      Type.String({ ...AppId, description: 'The app that has a host of the same site, or a similar name or site.' }),
    ),
  },
  { $id: 'ReviewWarning', description: 'A finding that a reviewer should check.' },
);
export type ReviewWarning = Type.Static<typeof ReviewWarning>;

function described(): string {
  return Object.entries(reviewWarnings)
    .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
    .join(' ');
}

import Type from 'typebox';

export const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  format: 'app-name',
  description:
    'Unique among the apps of the registry, regardless of case. Its first and last grapheme cluster (UAX #29) must be visible.',
  examples: ['Invoice Sync'],
});
export const BackgroundColor = Type.String({
  minLength: 1,
  format: 'color',
  description: '`#rgb` or `#rrggbb`.',
  examples: ['#0b5fff'],
});
export const ShortDescription = Type.String({
  minLength: 1,
  maxLength: 500,
  format: 'single-line',
  description: 'A single line.',
  examples: ['Keeps invoices and ledgers in step.'],
});
export const LongDescription = Type.String({
  minLength: 1,
  maxLength: 4000,
  format: 'multi-line',
  description: 'May have several lines.',
  examples: ['Invoice Sync copies every invoice to your ledger within a minute.\n\nNothing to configure.'],
});
const Url = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 2048, format: 'web-address', description, examples: [example] });
export const LoginUrl = Url('Where a user starts to sign in.', 'https://invoice-sync.example/login');
export const CallbackUrl = Url(
  'Where the platform sends the user after authorisation.',
  'https://invoice-sync.example/oauth/callback',
);
export const LogoId = Type.String({
  minLength: 1,
  maxLength: 100,
  format: 'single-line',
  description: 'The id of an uploaded logo.',
  examples: ['logo_01jq3va2c8f0ntb5m6b7k8c9d0'],
});

export const LogoUrl = Type.String({
  format: 'uri',
  description: 'A PNG of 512 by 512 pixels that never changes. Absent when the app has no logo.',
  examples: ['https://apps.example.com/logos/logo_01jq3va2c8f0ntb5m6b7k8c9d0'],
});

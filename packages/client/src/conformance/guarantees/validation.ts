import { type ContentField, type ContentKind, settableFields, updateWithFields } from '../app-content.ts';
import type { InterfaceGuarantee, Json, Step } from '../interface-guarantee.ts';
import { unknownApp } from './interface.ts';
import { get, of, update, updateWith } from './requests.ts';
import { string } from './views.ts';

/** Malformed values of each kind of field. */
const malformed: Record<ContentKind, readonly string[]> = {
  name: [' padded', 'two\nlines', 'lone \ud800', 'bidi \u202e', '\u200b'],
  // No logo of the developer: another code.
  logo: [],
  line: ['two\nlines', 'a tab\t', 'lone \udc00', 'bidi \u2066'],
  lines: ['a bare\rreturn', 'line \u2028', 'lone \ud800', 'NUL \u0000'],
  colour: ['#1234567', 'blue', '#ggg', '#fff '],
  url: [
    'http://example.com/',
    'ftp://example.com/',
    'example.com',
    'https://*.example.com/',
    'https://user@example.com/',
    'https://example.com/ ',
    'https://example.com/#top',
    'javascript:alert(1)',
    'https://0x7f000001/',
    'https://bücher.example/',
  ],
};
const updatesWithMalformed = Array.from(
  { length: Math.max(...Object.values(malformed).map(({ length }) => length)) },
  (_, at) => (field: ContentField) => malformed[field.kind][at],
);

function tooLong({ kind, lengthMax }: ContentField): string | undefined {
  if (lengthMax === null) return undefined;
  return kind === 'url' ? 'https://example.com/'.padEnd(lengthMax + 1, 'a') : '🦊'.repeat(lengthMax + 1);
}

const readOnly = [
  'id',
  'createdAt',
  'updatedAt',
  'reviewStatus',
  'installationCount',
  'logoUrl',
  'developer',
  'installations',
];

export const validationGuarantees: readonly InterfaceGuarantee[] = [
  isRefused('One response reports every error of a body, each with a JSON Pointer and a code.', [
    refusal(
      {
        name: null,
        reviewStatus: 'APPROVED',
        listingInfo: { backgroundColor: 'blue', shortDescription: '', colour: '#fff' },
        oauthInfo: { loginUrl: 'http://example.com/', callbackUrl: ['https://example.com/'] },
      },
      [
        '/name null_not_allowed',
        '/reviewStatus read_only_field',
        '/listingInfo/backgroundColor invalid_format',
        '/listingInfo/shortDescription too_short',
        '/listingInfo/colour unknown_field',
        '/oauthInfo/loginUrl invalid_format',
        '/oauthInfo/callbackUrl wrong_type',
      ],
    ),
  ]),
  isRefused('Each error of a body has a pointer, a code and a detail for a person.', [
    {
      requests: [update({ name: null, unknown: 1 })],
      expect: {
        status: 422,
        body: { '/errors': { each: { fields: { pointer: string, code: string, detail: { matches: '.' } } } } },
      },
    },
  ]),
  isRefused('JSON that is not an object is an error of the whole body.', [
    {
      requests: ['null', 'true', '5', '"name"', '[]'].map((body) => updateWith(body)),
      expect: { status: 422, code: 'invalid_content', errors: [' wrong_type'] },
    },
  ]),
  isRefused('Null for a required field is null_not_allowed.', [
    refusal({ name: null, listingInfo: { shortDescription: 'Padded.', backgroundColor: null } }, [
      '/name null_not_allowed',
      '/listingInfo/backgroundColor null_not_allowed',
    ]),
    refusal({ listingInfo: null, oauthInfo: null }, ['/listingInfo null_not_allowed', '/oauthInfo null_not_allowed']),
  ]),
  isRefused('A value of another type is wrong_type, and is never converted.', [
    ...[true, 5, ['#fff'], {}].map((value) => refused(() => value, 'wrong_type')),
    refusal({ listingInfo: [], oauthInfo: 'text' }, ['/listingInfo wrong_type', '/oauthInfo wrong_type']),
  ]),
  isRefused('An empty text is too_short.', [refused(() => '', 'too_short')]),
  isRefused('A text longer than its field allows is too_long.', [refused(tooLong, 'too_long')]),
  isRefused(
    'A text that its field does not allow is invalid_format.',
    updatesWithMalformed.map((textOf) => refused(textOf, 'invalid_format')),
  ),
  isRefused('A field that is unknown is reported, with the pointer escaped as RFC 6901 says, in UTF-8.', [
    refusal(
      { '': 1, 'a/b~c': 1, Name: 1, constructor: 1, 'é"': 1, '🦊': 1, listingInfo: { colour: 1 } },
      ['/', '/a~1b~0c', '/Name', '/constructor', '/é"', '/🦊', '/listingInfo/colour'].map((p) => `${p} unknown_field`),
    ),
  ]),
  isRefused('A field that no update sets is reported as read-only.', [
    refusal(
      Object.fromEntries(readOnly.map((field) => [field, null])),
      readOnly.map((field) => `/${field} read_only_field`),
    ),
  ]),
  isRefused('A response reports at most 100 errors.', [
    {
      requests: [update(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`m${index}`, 1])))],
      expect: { status: 422, code: 'invalid_content', body: { '/errors': { length: 100 } } },
    },
  ]),
  {
    ...isRefused(
      'A logoId that the developer has no logo of is unusable_logo, and one that is no text is wrong_type.',
      [
        refusal({ logoId: unknownApp.replace('app', 'logo') }, ['/logoId unusable_logo']),
        refusal({ logoId: '{app}' }, ['/logoId unusable_logo']),
        refusal({ logoId: 5 }, ['/logoId wrong_type']),
      ],
    ),
    needs: ['noLogo'],
  },
  isRefused('An invalid body gets 422 for an unknown app too.', [
    {
      requests: [of(unknownApp, update({ name: null }))],
      expect: { status: 422, code: 'invalid_content', errors: ['/name null_not_allowed'] },
    },
  ]),
  {
    ...isRefused('The name of another app is refused with 409, and nothing of the update is done.', [
      { as: 'other', requests: [of('{otherApp}', get())], expect: { status: 200 } },
      {
        requests: [update({ name: '{other/name}', listingInfo: { backgroundColor: '#123456' } })],
        expect: { status: 409, code: 'name_taken', body: { '/title': { equals: 'Conflict Error' } } },
      },
    ]),
    needs: ['otherApp'],
  },
];

function isRefused(name: string, steps: Step[]): InterfaceGuarantee {
  return { name, source: 'docs 2.8, 7.3', changesNothing: true, steps };
}

function refusal(change: { [field: string]: Json }, errors: string[]): Step {
  return { requests: [update(change)], expect: { status: 422, code: 'invalid_content', errors } };
}

/** An update whose values all have the same error: those of the fields that have one, without the logo. */
function refused(textOf: (field: ContentField) => Json | undefined, code: string): Step {
  const fields = settableFields.filter((field) => textOf(field) !== undefined);
  return refusal(
    updateWithFields((field) => (field.kind === 'logo' ? undefined : textOf(field))),
    fields.map(({ pointer }) => `${pointer} ${code}`),
  );
}

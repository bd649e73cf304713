import type { InterfaceGuarantee, Json, Step } from '../interface-guarantee.ts';
import { unknownApp } from './interface.ts';
import { get, of, update, updateWith } from './requests.ts';
import { string } from './views.ts';

const pointers = {
  name: '/name',
  shortDescription: '/listingInfo/shortDescription',
  longDescription: '/listingInfo/longDescription',
  backgroundColor: '/listingInfo/backgroundColor',
  loginUrl: '/oauthInfo/loginUrl',
  callbackUrl: '/oauthInfo/callbackUrl',
};
type Field = keyof typeof pointers;
type Values = Partial<Record<Field, Json>>;

/** Each row is one update; all of its values are malformed. */
const malformed: Values[] = [
  {
    name: ' padded',
    shortDescription: 'two\nlines',
    longDescription: 'a bare\rreturn',
    backgroundColor: '#1234567',
    loginUrl: 'http://example.com/',
    callbackUrl: 'ftp://example.com/',
  },
  {
    name: 'two\nlines',
    shortDescription: 'a tab\t',
    longDescription: 'line \u2028',
    backgroundColor: 'blue',
    loginUrl: 'example.com',
    callbackUrl: 'https://*.example.com/',
  },
  {
    name: 'lone \ud800',
    shortDescription: 'lone \udc00',
    longDescription: 'lone \ud800',
    backgroundColor: '#ggg',
    loginUrl: 'https://user@example.com/',
    callbackUrl: 'https://example.com/ ',
  },
  {
    name: 'bidi \u202e',
    shortDescription: 'bidi \u2066',
    longDescription: 'NUL \u0000',
    backgroundColor: '#fff ',
    loginUrl: 'https://example.com/#top',
    callbackUrl: 'javascript:alert(1)',
  },
  { name: '\u200b', loginUrl: 'https://0x7f000001/', callbackUrl: 'https://bücher.example/' },
];
const tooLong: Values = {
  name: '🦊'.repeat(101),
  shortDescription: '🦊'.repeat(501),
  longDescription: '🦊'.repeat(4001),
  loginUrl: 'https://example.com/'.padEnd(2049, 'a'),
  callbackUrl: 'https://example.com/'.padEnd(2049, 'b'),
};
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
    ...[true, 5, ['#fff'], {}].map((value) => refused(valuesOf(value), 'wrong_type')),
    refusal({ listingInfo: [], oauthInfo: 'text' }, ['/listingInfo wrong_type', '/oauthInfo wrong_type']),
  ]),
  isRefused('An empty text is too_short.', [refused(valuesOf(''), 'too_short')]),
  isRefused('A text longer than its field allows is too_long.', [refused(tooLong, 'too_long')]),
  isRefused(
    'A text that its field does not allow is invalid_format.',
    malformed.map((values) => refused(values, 'invalid_format')),
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

/** An update whose values all have the same error. */
function refused(values: Values, code: string): Step {
  const { name, shortDescription, longDescription, backgroundColor, loginUrl, callbackUrl } = values;
  const change = {
    name,
    listingInfo: { shortDescription, longDescription, backgroundColor },
    oauthInfo: { loginUrl, callbackUrl },
  };
  const fields = Object.keys(values) as Field[];
  return refusal(
    JSON.parse(JSON.stringify(change)),
    fields.map((field) => `${pointers[field]} ${code}`),
  );
}

function valuesOf(value: Json): Values {
  return Object.fromEntries(Object.keys(pointers).map((field) => [field, value]));
}

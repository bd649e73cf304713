import { type ContentField, type ContentKind, namesOf, settableFields, updateWithFields } from '../app-content.ts';
import type { Expected, InterfaceGuarantee, Json } from '../interface-guarantee.ts';
import { get, of, update } from './requests.ts';
import {
  absent,
  datetime,
  developer,
  developerView,
  installation,
  platformView,
  present,
  reviewStatus,
  typeId,
} from './views.ts';

/** Well-formed, and of no app: its UUID is all zeroes. */
export const unknownApp = 'app_00000000000000000000000000';

const name = 'Conformance {unique}';
const values: Record<ContentKind, (field: string) => string | undefined> = {
  name: () => name,
  logo: () => undefined,
  line: (field) => `One line: ${field}.`,
  lines: (field) => `Lines:\n${field}.`,
  colour: () => '#0b5fff',
  url: (field) => `https://a.example/${field}`,
};
const textOf = (field: ContentField) => values[field.kind](namesOf(field).at(-1) ?? '');
/** Every field that can be set without a logo. */
export const complete = updateWithFields(textOf);
const isComplete = bodyOf((field) => ({ equals: textOf(field) ?? null }));
const groups = [...new Set(settableFields.filter((field) => namesOf(field)[1]).map((field) => namesOf(field)[0]))];
const required = settableFields.filter(({ isOptional }) => !isOptional).map(({ pointer }) => pointer);

const unchangeable = { '/id': { equals: '{app}' }, '/createdAt': { sameAs: 'first/createdAt' } };

/** What the interface itself says. The sections are its own. */
export const interfaceGuarantees: readonly InterfaceGuarantee[] = [
  {
    name: 'Update App returns the developer view: every required field, and an optional one only with a value.',
    source: 'interface 2.2, 2.4, 2.5, 4.1',
    steps: [{ requests: [update({}), update(complete)], expect: { status: 200, body: { '': developerView } } }],
  },
  {
    name: 'Get App returns the platform view: every required field, and an optional one only with a value.',
    source: 'interface 2.3, 4.2',
    steps: [{ requests: [get()], expect: { status: 200, body: { '': platformView } } }],
  },
  {
    name: 'Get App has no installationCount, listingInfo or oauthInfo.',
    source: 'interface 2.3',
    steps: [
      {
        requests: [get()],
        expect: {
          status: 200,
          body: { '/installationCount': absent, '/listingInfo': absent, '/oauthInfo': absent },
        },
      },
    ],
  },
  {
    name: 'Get App shows the developer with userId and email, and with names if they have any.',
    source: 'interface 2.6',
    steps: [{ requests: [get()], expect: { status: 200, body: { '/developer': developer } } }],
  },
  {
    name: 'Get App shows every field of each installation.',
    source: 'interface 2.7',
    needs: ['installation'],
    steps: [{ requests: [get()], expect: { status: 200, body: { '/installations': { each: installation } } } }],
  },
  {
    name: 'Both operations return the app whose ID is in the path.',
    source: 'interface 4.1, 4.2',
    steps: [{ requests: [update({}), get()], expect: { status: 200, body: { '/id': { equals: '{app}' } } } }],
  },
  {
    name: 'The ID of an app is a TypeID with the prefix app, and other IDs are TypeIDs.',
    source: 'interface 2.1',
    steps: [
      {
        requests: [update({})],
        expect: { status: 200, body: { '/id': { matches: '^app_[0-7][0-9a-hjkmnp-tv-z]{25}$' } } },
      },
      {
        requests: [get()],
        expect: {
          status: 200,
          body: {
            '/developer/userId': typeId,
            '/installations': { each: { fields: { id: typeId, workspaceId: typeId, userId: typeId } } },
          },
        },
      },
    ],
  },
  {
    name: 'Times are ISO 8601 in UTC.',
    source: 'interface 2.1',
    steps: [
      {
        requests: [update({}), get()],
        expect: { status: 200, body: { '/createdAt': datetime, '/updatedAt': datetime } },
      },
      {
        requests: [get()],
        expect: { status: 200, body: { '/installations': { each: { fields: { createdAt: datetime } } } } },
      },
    ],
  },
  {
    name: 'The review status is DRAFT, AWAITING_REVIEW, APPROVED or REJECTED.',
    source: 'interface 2.2, 2.3, 3',
    steps: [{ requests: [update({}), get()], expect: { status: 200, body: { '/reviewStatus': reviewStatus } } }],
  },
  {
    name: 'An update sets the given fields and returns the updated app.',
    source: 'interface 2.8, 4.1',
    steps: [
      {
        requests: [update(complete), update({})],
        expect: {
          status: 200,
          body: isComplete,
        },
      },
    ],
  },
  {
    name: 'A field that an update omits stays unchanged.',
    source: 'interface 2.8 rule 1',
    steps: [
      { as: 'first', requests: [update(complete)], expect: { status: 200 } },
      {
        requests: [update({ name: `${name} renamed` })],
        expect: {
          status: 200,
          body: {
            ...unchangeable,
            '/name': { equals: `${name} renamed` },
            '/listingInfo': { sameAs: 'first/listingInfo' },
            '/oauthInfo': { sameAs: 'first/oauthInfo' },
            '/reviewStatus': { sameAs: 'first/reviewStatus' },
          },
        },
      },
    ],
  },
  {
    name: 'A field that an update omits inside listingInfo or oauthInfo stays unchanged.',
    source: 'interface 2.8 rule 1',
    steps: [
      { requests: [update(complete)], expect: { status: 200 } },
      {
        requests: [
          update({ listingInfo: { shortDescription: 'Other.' }, oauthInfo: { loginUrl: 'https://b.example/' } }),
        ],
        expect: {
          status: 200,
          body: {
            ...isComplete,
            '/listingInfo/shortDescription': { equals: 'Other.' },
            '/oauthInfo/loginUrl': { equals: 'https://b.example/' },
          },
        },
      },
    ],
  },
  {
    name: 'Null removes the value of an optional field, which is then absent.',
    source: 'interface 2.1, 2.8 rule 2',
    steps: [
      { requests: [update(complete)], expect: { status: 200 } },
      {
        requests: [
          update(updateWithFields(({ kind, isOptional }) => (isOptional && kind !== 'logo' ? null : undefined))),
          update({}),
        ],
        expect: {
          status: 200,
          body: bodyOf((field) => (field.isOptional ? absent : { equals: textOf(field) ?? null })),
        },
      },
    ],
  },
  {
    name: 'A logoId gives the app a logoUrl, which both operations return, until null removes it.',
    source: 'interface 2.2, 2.3, 2.8 rule 2',
    needs: ['logo'],
    steps: [
      { requests: [update({ logoId: '{logo}' }), update({})], expect: { status: 200, body: { '/logoUrl': present } } },
      { requests: [update({ logoId: null }), update({})], expect: { status: 200, body: { '/logoUrl': absent } } },
    ],
  },
  ...required.map((pointer) =>
    nullIsRefused(
      pointer,
      updateWithFields((field) => (field.pointer === pointer ? null : undefined)),
    ),
  ),
  ...groups.map((group) => nullIsRefused(`/${group}`, { [group]: null })),
  {
    name: 'A body padded with nulls is refused with 422.',
    source: 'interface 2.1',
    steps: [
      {
        requests: [
          update(
            updateWithFields(({ pointer, kind }) => {
              if (kind === 'logo') return undefined;
              return pointer === '/listingInfo/shortDescription' ? 'Padded.' : null;
            }),
          ),
        ],
        expect: { status: 422 },
      },
    ],
  },
  {
    name: 'An empty object is a valid update that changes nothing.',
    source: 'interface 2.8 rule 4',
    changesNothing: true,
    steps: [{ requests: [update({})], expect: { status: 200 } }],
  },
  {
    name: 'No update sets the review status.',
    source: 'interface 3',
    steps: [
      { as: 'first', requests: [update({})], expect: { status: 200 } },
      { requests: [update({ reviewStatus: 'AWAITING_REVIEW' })], expect: {} },
      {
        requests: [update({})],
        expect: { status: 200, body: { '/reviewStatus': { sameAs: 'first/reviewStatus' } } },
      },
    ],
  },
  {
    name: 'Update App of an unknown app gets 404.',
    source: 'interface 7',
    steps: [{ requests: [of(unknownApp, update({ name }))], expect: { status: 404 } }],
  },
  {
    name: 'Get App of an unknown app gets 404.',
    source: 'interface 7',
    steps: [{ requests: [of(unknownApp, get())], expect: { status: 404 } }],
  },
  {
    name: 'Update App without a valid bearer token is refused.',
    source: 'interface 4.1, 5',
    changesNothing: true,
    steps: [{ requests: invalidHeaders().map((headers) => update(complete, headers)), expect: { status: '4xx' } }],
  },
  {
    name: 'Get App without a valid bearer token is refused.',
    source: 'interface 4.2, 5',
    steps: [{ requests: invalidHeaders().map((headers) => get(headers)), expect: { status: '4xx' } }],
  },
];

function nullIsRefused(pointer: string, change: { [field: string]: Json }): InterfaceGuarantee {
  const steps = [{ requests: [update(change)], expect: { status: 422 } }];
  return { name: `Null for ${pointer} is refused with 422.`, source: 'interface 2.1, 2.8 rule 3', steps };
}

/** What a body must have at each field that can be set without a logo. */
function bodyOf(expected: (field: ContentField) => Expected): Record<string, Expected> {
  return Object.fromEntries(settableFields.map((field) => [field.pointer, expected(field)]));
}

function invalidHeaders(): { Authorization: string | null }[] {
  return [{ Authorization: null }, { Authorization: 'Bearer unknown' }, { Authorization: 'Basic YWRhOnNlY3JldA==' }];
}

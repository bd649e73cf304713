import type { Expected, InterfaceGuarantee } from '../interface-guarantee.ts';
import { complete, unknownApp } from './interface.ts';
import { at, by, get, of, update, updateWith } from './requests.ts';
import { string, strongTag } from './views.ts';

const milliseconds: Expected = { matches: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' };

/** Refused for one reason each. */
const refused = [
  updateWith('{'),
  update({}, { Authorization: null }),
  get({ Authorization: 'Bearer unknown' }),
  update({}, { Authorization: 'Bearer {platformToken}' }),
  of(unknownApp, get()),
  at('/nothing', get()),
  by('DELETE', get()),
  get({ 'If-Match': '"other"' }),
  updateWith('{}', { 'Content-Type': 'text/plain' }),
  update({ name: null }),
];

/** What responses look like. */
export const responseGuarantees: readonly InterfaceGuarantee[] = [
  {
    name: 'A response to Update App is JSON with a strong ETag, and is not stored.',
    source: 'docs 4.1',
    steps: [
      {
        requests: [update(complete), update({})],
        expect: {
          status: 200,
          headers: {
            'content-type': { matches: '^application/json(?:;|$)' },
            'cache-control': { equals: 'no-store' },
            etag: strongTag,
          },
        },
      },
    ],
  },
  {
    name: 'A response to Get App is JSON with a strong ETag, and is revalidated for each use.',
    source: 'docs 4.2',
    steps: [
      {
        requests: [get()],
        expect: {
          status: 200,
          headers: {
            'content-type': { matches: '^application/json(?:;|$)' },
            'cache-control': { equals: 'private, no-cache' },
            vary: { matches: '(?:^|, *)[Aa]ccept-[Ee]ncoding' },
            etag: strongTag,
          },
        },
      },
    ],
  },
  {
    name: 'Get App with Accept-Encoding gzip is the same app, and its ETag holds in that coding.',
    source: 'docs 4.2',
    steps: [
      { as: 'plain', requests: [get({ 'Accept-Encoding': 'identity' })], expect: { status: 200 } },
      {
        as: 'gzip',
        requests: [get({ 'Accept-Encoding': 'gzip' })],
        expect: { status: 200, body: { '': { sameAs: 'plain' } } },
      },
      {
        requests: [get({ 'Accept-Encoding': 'gzip', 'If-Match': '{gzip.etag}' })],
        expect: { status: 200, headers: { etag: { equals: '{gzip.etag}' } } },
      },
    ],
  },
  {
    name: 'HEAD returns the headers of Get App, with its length, and no body.',
    source: 'docs 4.2',
    steps: [
      { as: 'get', requests: [get()], expect: { status: 200 } },
      {
        requests: [by('HEAD', get())],
        expect: {
          status: 200,
          text: { equals: '' },
          headers: {
            etag: { equals: '{get.etag}' },
            'content-type': { equals: '{get.content-type}' },
            'cache-control': { equals: '{get.cache-control}' },
            vary: { equals: '{get.vary}' },
            'content-length': { equals: '{get.content-length}' },
          },
        },
      },
      { requests: [by('HEAD', of(unknownApp, get()))], expect: { status: 404, text: { equals: '' } } },
    ],
  },
  {
    name: 'Times have milliseconds and Z.',
    source: 'docs 2.1',
    steps: [
      {
        requests: [update({}), get()],
        expect: { status: 200, body: { '/createdAt': milliseconds, '/updatedAt': milliseconds } },
      },
    ],
  },
  {
    name: 'updatedAt advances when an update changes a value.',
    source: 'docs 2.2',
    steps: [
      {
        requests: [update(complete)],
        expect: { status: 200, body: { '/updatedAt': { not: { sameAs: 'this/createdAt' } } } },
      },
    ],
  },
  {
    name: 'An update that changes nothing moves neither updatedAt nor the ETag.',
    source: 'docs 2.2, 4.1',
    steps: [
      { as: 'first', requests: [update(complete)], expect: { status: 200 } },
      {
        requests: [update(complete), update({}), update({ listingInfo: {}, oauthInfo: {} })],
        expect: {
          status: 200,
          headers: { etag: { equals: '{first.etag}' } },
          body: { '': { sameAs: 'first' } },
        },
      },
    ],
  },
  {
    name: 'installationCount is the length of the list of installations.',
    source: 'docs 2.2',
    steps: [
      { as: 'platform', requests: [get()], expect: { status: 200 } },
      {
        requests: [update({})],
        expect: { status: 200, body: { '/installationCount': { lengthOf: 'platform/installations' } } },
      },
    ],
  },
  {
    name: 'Get App shows an update as soon as it is acknowledged.',
    source: 'docs 4.2',
    needs: ['draft'],
    steps: [
      { as: 'update', requests: [update({ name: 'Seen {unique}' })], expect: { status: 200 } },
      {
        requests: [get()],
        expect: {
          status: 200,
          body: { '/name': { equals: 'Seen {unique}' }, '/updatedAt': { sameAs: 'update/updatedAt' } },
        },
      },
    ],
  },
  {
    name: 'Every response has its own X-Request-Id, a refusal too.',
    source: 'docs 4',
    steps: [
      { as: 'first', requests: [get()], expect: { status: 200, headers: { 'x-request-id': string } } },
      {
        requests: [get(), update({}), ...refused],
        expect: { headers: { 'x-request-id': { not: { oneOf: ['{first.x-request-id}', ''] } } } },
      },
    ],
  },
  {
    name: 'Every refusal is problem details: type, title, status, detail, instance, code and requestId.',
    source: 'docs 7',
    steps: [
      {
        requests: refused,
        expect: {
          status: '4xx',
          headers: { 'content-type': { matches: '^application/problem\\+json(?:;|$)' } },
          body: {
            '/type': { matches: '/docs#{this/code}$' },
            '/title': string,
            '/status': { sameAs: 'this:status' },
            '/detail': { matches: '.' },
            '/instance': { equals: 'urn:uuid:{this.x-request-id}' },
            '/code': { matches: '^[a-z][a-z_]*$' },
            '/requestId': { equals: '{this.x-request-id}' },
          },
        },
      },
    ],
  },
  {
    name: 'The title of a 404 and of a 422 is the error name in the interface.',
    source: 'interface 7, docs 7',
    steps: [
      {
        requests: [of(unknownApp, get()), of(unknownApp, update({}))],
        expect: { status: 404, body: { '/title': { equals: 'Not Found Error' } } },
      },
      {
        requests: [update({ name: null })],
        expect: { status: 422, body: { '/title': { equals: 'Unprocessable Content Error' } } },
      },
    ],
  },
];

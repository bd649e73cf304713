import type { InterfaceGuarantee } from '../interface-guarantee.ts';
import { complete, unknownApp } from './interface.ts';
import { by, get, of, update } from './requests.ts';

const read = { as: 'first', requests: [update({})], expect: { status: 200 } };
const readByPlatform = { as: 'first', requests: [get()], expect: { status: 200 } };
const change = (backgroundColor: string) => ({ listingInfo: { backgroundColor } });
const failed = { status: 412, code: 'precondition_failed', headers: { etag: { equals: '{first.etag}' } } };

export const preconditionGuarantees: readonly InterfaceGuarantee[] = [
  {
    name: 'An update with a matching If-Match is applied, and changes the ETag.',
    source: 'docs 4.1 Lost updates',
    steps: [
      { requests: [update(change('#111'))], expect: { status: 200 } },
      read,
      {
        requests: [update(change('#222'), { 'If-Match': '{first.etag}' })],
        expect: { status: 200, headers: { etag: { not: { equals: '{first.etag}' } } } },
      },
      { requests: [update(change('#333'), { 'If-Match': '*' })], expect: { status: 200 } },
      read,
      { requests: [update({}, { 'If-Match': '"other", {first.etag}' })], expect: { status: 200 } },
    ],
  },
  {
    name: 'An update with an If-Match that does not match gets 412 with the current ETag, and is not applied.',
    source: 'docs 4.1 Lost updates',
    changesNothing: true,
    steps: [
      read,
      {
        requests: ['"other"', 'W/{first.etag}', '', '"*"'].map((tag) => update(change('#444'), { 'If-Match': tag })),
        expect: failed,
      },
    ],
  },
  {
    name: 'An ETag of Update App does not match again once the content has changed and changed back.',
    source: 'docs 4.1 Lost updates',
    steps: [
      { requests: [update(change('#111'))], expect: { status: 200 } },
      read,
      { requests: [update(change('#222'))], expect: { status: 200 } },
      { requests: [update(change('#111'))], expect: { status: 200 } },
      { requests: [update({}, { 'If-Match': '{first.etag}' })], expect: { status: 412, code: 'precondition_failed' } },
    ],
  },
  {
    name: 'An update with a matching If-None-Match, a weak one too, gets 412 and is not applied.',
    source: 'docs 4.1 Lost updates',
    changesNothing: true,
    steps: [
      read,
      {
        requests: ['{first.etag}', 'W/{first.etag}', '"other", {first.etag}', '*'].map((tag) =>
          update(change('#555'), { 'If-None-Match': tag }),
        ),
        expect: failed,
      },
      { requests: [update({}, { 'If-None-Match': '"other"' })], expect: { status: 200 } },
    ],
  },
  {
    name: 'Get App with a matching If-None-Match gets 304 with the headers of the app, and no body.',
    source: 'docs 4.2 Conditional requests',
    steps: [
      readByPlatform,
      {
        requests: ['{first.etag}', 'W/{first.etag}', '"one", W/"two",{first.etag} , "three"', '*'].flatMap((tag) => [
          get({ 'If-None-Match': tag }),
          by('HEAD', get({ 'If-None-Match': tag })),
        ]),
        expect: {
          status: 304,
          text: { equals: '' },
          headers: {
            etag: { equals: '{first.etag}' },
            'cache-control': { equals: '{first.cache-control}' },
            vary: { equals: '{first.vary}' },
          },
        },
      },
      {
        requests: ['"other"', '', '"*"'].map((tag) => get({ 'If-None-Match': tag })),
        expect: { status: 200 },
      },
    ],
  },
  {
    name: 'The ETag of Get App changes with the app.',
    source: 'docs 4.2 Conditional requests',
    needs: ['draft'],
    steps: [
      { requests: [update(complete)], expect: { status: 200 } },
      readByPlatform,
      { requests: [update({ name: 'Changed {unique}' })], expect: { status: 200 } },
      {
        requests: [get({ 'If-None-Match': '{first.etag}' })],
        expect: { status: 200, headers: { etag: { not: { equals: '{first.etag}' } } } },
      },
    ],
  },
  {
    name: 'Get App with an If-Match that does not match gets 412 with the current ETag, and so does HEAD.',
    source: 'docs 4.2 Conditional requests',
    steps: [
      readByPlatform,
      { requests: ['"other"', 'W/{first.etag}', ''].map((tag) => get({ 'If-Match': tag })), expect: failed },
      {
        requests: [by('HEAD', get({ 'If-Match': '"other"' }))],
        expect: { status: 412, text: { equals: '' }, headers: failed.headers },
      },
      { requests: ['{first.etag}', '*'].map((tag) => get({ 'If-Match': tag })), expect: { status: 200 } },
    ],
  },
  {
    name: 'An If-Match or If-None-Match without quotes gets 400.',
    source: 'docs 7.1',
    steps: [
      {
        requests: ['If-Match', 'If-None-Match'].flatMap((name) => [
          get({ [name]: 'no-quotes' }),
          update({}, { [name]: 'no-quotes' }),
        ]),
        expect: { status: 400, code: 'malformed_request' },
      },
    ],
  },
  {
    name: 'A precondition of an unknown app gets 404.',
    source: 'docs 7.1',
    steps: [
      {
        requests: [
          get({ 'If-Match': '"other"' }),
          get({ 'If-None-Match': '*' }),
          update({}, { 'If-Match': '"other"' }),
        ].map((request) => of(unknownApp, request)),
        expect: { status: 404, code: 'app_not_found' },
      },
    ],
  },
];

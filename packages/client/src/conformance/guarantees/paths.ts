import type { Expected, InterfaceGuarantee } from '../interface-guarantee.ts';
import { complete, unknownApp } from './interface.ts';
import { at, by, get, of, update } from './requests.ts';

const acceptPatch: Expected = { equals: 'application/json, application/merge-patch+json' };

const noApps = [
  'app_',
  'app_01',
  unknownApp.toUpperCase(),
  'logo_00000000000000000000000000',
  '{app}0',
  '%00',
  '%F0%9F%A6%8A',
];

export const pathGuarantees: readonly InterfaceGuarantee[] = [
  {
    name: 'Every ID without an app gets the same 404, however malformed it is.',
    source: 'docs 7.2',
    steps: [
      { as: 'first', requests: [of(unknownApp, get())], expect: { status: 404, code: 'app_not_found' } },
      {
        requests: noApps.flatMap((id) => [
          of(id, get()),
          of(id, update({ name: 'Conformance {unique}' })),
          of(id, update({})),
        ]),
        expect: {
          status: 404,
          code: 'app_not_found',
          body: { '/title': { sameAs: 'first/title' }, '/detail': { sameAs: 'first/detail' } },
        },
      },
    ],
  },
  {
    name: 'An app of another developer gets the 404 of an app that does not exist, and is not changed.',
    source: 'docs 5, 7.2',
    needs: ['otherDeveloperToken'],
    changesNothing: true,
    steps: [
      { as: 'unknown', requests: [of(unknownApp, update({}))], expect: { status: 404 } },
      {
        requests: [complete, {}].map((change) => update(change, { Authorization: 'Bearer {otherDeveloperToken}' })),
        expect: { status: 404, code: 'app_not_found', body: { '/detail': { sameAs: 'unknown/detail' } } },
      },
    ],
  },
  {
    name: 'A path that only resembles an operation gets 404 path_not_found.',
    source: 'docs 7.2',
    steps: [
      {
        requests: [
          '/platform/apps/v2/{app}',
          '/platform/apps/{app}',
          '/platform/apps/v1/{app}/',
          '/Platform/apps/v1/{app}',
        ].map((path) => at(path, get())),
        expect: { status: 404, code: 'path_not_found' },
      },
    ],
  },
  {
    name: 'An unsupported method gets 405 with the methods of the path in Allow, without a token too.',
    source: 'docs 7.1',
    steps: [
      {
        requests: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'].flatMap((method) => [
          { method, path: update({}).path, headers: {} },
          at(update({}).path, by(method, get())),
        ]),
        expect: { status: 405, headers: { allow: { equals: 'PATCH, OPTIONS' } } },
      },
      {
        requests: ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => by(method, get())),
        expect: { status: 405, code: 'method_not_allowed', headers: { allow: { equals: 'GET, HEAD, OPTIONS' } } },
      },
    ],
  },
  {
    name: 'OPTIONS gets 204 with Allow, and with Accept-Patch for Update App.',
    source: 'docs 7.1',
    steps: [
      {
        requests: [at(update({}).path, by('OPTIONS', get()))],
        expect: { status: 204, headers: { allow: { equals: 'PATCH, OPTIONS' }, 'accept-patch': acceptPatch } },
      },
      {
        requests: [by('OPTIONS', get())],
        expect: { status: 204, headers: { allow: { equals: 'GET, HEAD, OPTIONS' } } },
      },
    ],
  },
  {
    name: 'The registry publishes OpenAPI 3.1 at /openapi.json and a page at /docs, without a token.',
    source: 'docs 1',
    steps: [
      {
        requests: [{ method: 'GET', path: '/openapi.json', headers: {} }],
        expect: {
          status: 200,
          body: {
            '/openapi': { matches: '^3\\.1\\.' },
            '/paths/~1developer~1apps~1v1~1{id}/patch': { is: 'object' },
            '/paths/~1platform~1apps~1v1~1{id}/get': { is: 'object' },
          },
        },
      },
      {
        requests: [{ method: 'GET', path: '/docs', headers: {} }],
        expect: { status: 200, headers: { 'content-type': { matches: '^text/html' } } },
      },
    ],
  },
];

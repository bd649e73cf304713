import type { HttpRequest, InterfaceGuarantee } from '../interface-guarantee.ts';
import { complete, unknownApp } from './interface.ts';
import { at, get, of, update } from './requests.ts';

const operations = [
  { name: 'Update App', token: '{developerToken}', other: '{platformToken}', request: update },
  { name: 'Get App', token: '{platformToken}', other: '{developerToken}', request: read },
];

export const authenticationGuarantees: readonly InterfaceGuarantee[] = operations.flatMap(
  ({ name, token, other, request }): InterfaceGuarantee[] => {
    const withHeader = (Authorization: string | null) => request(complete, { Authorization });
    const inQuery = withHeader(null);
    return [
      {
        name: `${name} without a token, or with another scheme, gets 401 and a bare challenge.`,
        source: 'docs 5',
        steps: [
          {
            requests: [null, `Basic ${token}`, `Token ${token}`, token].map(withHeader),
            expect: {
              status: 401,
              code: 'token_missing',
              headers: { 'www-authenticate': { equals: 'Bearer realm="app-registry"' } },
            },
          },
        ],
      },
      {
        name: `${name} with an empty, malformed or unknown token gets 401 and the challenge invalid_token.`,
        source: 'docs 5',
        steps: [
          {
            requests: ['', 'unknown', `${token}x`, `${token} ${token}`, `"${token}"`].map((text) =>
              withHeader(`Bearer ${text}`),
            ),
            expect: {
              status: 401,
              code: 'token_invalid',
              headers: { 'www-authenticate': { equals: 'Bearer realm="app-registry", error="invalid_token"' } },
            },
          },
        ],
      },
      {
        name: `${name} with a token of another kind gets 403, also for an unknown app.`,
        source: 'docs 5',
        changesNothing: true,
        steps: [
          {
            requests: [withHeader(`Bearer ${other}`), of(unknownApp, withHeader(`Bearer ${other}`))],
            expect: {
              status: 403,
              code: 'insufficient_scope',
              headers: { 'www-authenticate': { equals: 'Bearer realm="app-registry", error="insufficient_scope"' } },
            },
          },
        ],
      },
      {
        name: `${name} accepts the scheme Bearer in any case.`,
        source: 'docs 5',
        steps: [
          {
            requests: ['bearer', 'BEARER'].map((scheme) => request({}, { Authorization: `${scheme} ${token}` })),
            expect: { status: 200 },
          },
        ],
      },
      {
        name: `${name} accepts a token in the Authorization header only.`,
        source: 'docs 5',
        steps: [
          {
            requests: [at(`${inQuery.path}?access_token=${token}`, inQuery)],
            expect: { status: 401, code: 'token_missing' },
          },
        ],
      },
    ];
  },
);

function read(_: object, headers: HttpRequest['headers']): HttpRequest {
  return get(headers);
}

import type { HttpRequest, InterfaceGuarantee } from '../interface-guarantee.ts';
import { complete } from './interface.ts';
import { by, get, of, update } from './requests.ts';

const ambiguous = 'docs 7.1 Ambiguous requests';
const { Authorization: developerToken = null } = update({}).headers;
const { Authorization: platformToken = null } = get().headers;

/** Requests that two programs could read differently. */
export const httpSyntaxGuarantees: readonly InterfaceGuarantee[] = [
  isRefused('A header that takes one value, sent twice,', 400, [
    update(complete, { Authorization: [`${developerToken}`, 'Bearer another'] }),
    get({ Authorization: [`${platformToken}`, `${platformToken}`] }),
    update(complete, { 'Content-Type': ['application/json', 'text/plain'] }),
    update(complete, { 'Idempotency-Key': ['one', 'two'] }),
  ]),
  isRefused('A Host that is none, or none at all,', 400, [
    get({ Host: null }),
    get({ Host: 'a b' }),
    get({ Host: 'user@localhost' }),
    update(complete, { Host: 'localhost/path' }),
  ]),
  isRefused('A Transfer-Encoding other than chunked', 501, [
    update(complete, { 'Transfer-Encoding': 'gzip, chunked' }),
    update(complete, { 'Transfer-Encoding': 'identity, chunked' }),
  ]),
  isRefused('An unknown method', 501, [by('PROPFIND', get()), by('FROB', get())]),
  { ...isRefused('A header of more than 16 KiB', 431, [get({ 'X-Long': 'x'.repeat(20_000) })]), source: 'docs 8' },
  { ...isRefused('An Expect other than 100-continue', 417, [get({ Expect: 'wonders' })]), source: 'docs 7.2' },
  {
    ...isRefused(
      'Bad percent-encoding in the path',
      400,
      ['%', '%ff'].map((id) => of(id, get())),
    ),
    source: 'docs 7.2',
  },
  {
    name: 'A chunked body is accepted.',
    source: ambiguous,
    steps: [{ requests: [update({}, { 'Transfer-Encoding': 'chunked' })], expect: { status: 200 } }],
  },
  {
    name: 'A list header in several lines is read as one list.',
    source: ambiguous,
    steps: [
      { as: 'first', requests: [get()], expect: { status: 200 } },
      { requests: [get({ 'If-None-Match': ['"other"', '{first.etag}'] })], expect: { status: 304 } },
    ],
  },
];

function isRefused(what: string, status: number, requests: HttpRequest[]): InterfaceGuarantee {
  const headers = { 'content-type': { matches: '^application/problem\\+json' } };
  return {
    name: `${what} is refused with ${status}.`,
    source: ambiguous,
    changesNothing: true,
    steps: [{ requests, expect: { status, headers } }],
  };
}

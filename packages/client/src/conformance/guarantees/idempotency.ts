import type { InterfaceGuarantee, Step } from '../interface-guarantee.ts';
import { complete } from './interface.ts';
import { update, updateWith } from './requests.ts';

const source = 'docs 4.1 Retries';
const other = { listingInfo: { shortDescription: 'In between.' } };
const replayed = {
  status: 200,
  headers: { 'idempotency-replayed': { equals: 'true' }, etag: { equals: '{first.etag}' } },
  body: { '': { sameAs: 'first' } },
} as const;

export const idempotencyGuarantees: readonly InterfaceGuarantee[] = [
  {
    name: 'A retry with the same Idempotency-Key gets the first response, and does not undo a later update.',
    source,
    steps: [
      keyed('repeat-{unique}'),
      { requests: [update(other)], expect: { status: 200 } },
      { requests: [update(complete, { 'Idempotency-Key': 'repeat-{unique}' })], expect: replayed },
      {
        requests: [update({})],
        expect: { status: 200, body: { '/listingInfo/shortDescription': { equals: 'In between.' } } },
      },
    ],
  },
  {
    name: 'A key in quotes is the same key, and the same fields in another order are the same update.',
    source,
    steps: [
      keyed('quoted-{unique}'),
      {
        requests: [
          updateWith(JSON.stringify(Object.fromEntries(Object.entries(complete).toReversed()), null, 2), {
            'Idempotency-Key': '"quoted-{unique}"',
          }),
        ],
        expect: replayed,
      },
    ],
  },
  {
    name: 'A key that was used for another update is refused with 422, and nothing is changed.',
    source,
    steps: [
      keyed('reused-{unique}'),
      {
        requests: [
          update(other, { 'Idempotency-Key': 'reused-{unique}' }),
          update(complete, { 'Idempotency-Key': 'reused-{unique}', 'If-Match': '*' }),
        ],
        expect: { status: 422, code: 'idempotency_key_reused' },
      },
      {
        requests: [update({})],
        expect: { status: 200, body: { '/listingInfo': { sameAs: 'first/listingInfo' } } },
      },
    ],
  },
  {
    name: 'A refused update does not use up its key.',
    source,
    steps: [
      {
        requests: [update({ name: null }, { 'Idempotency-Key': 'free-{unique}' })],
        expect: { status: 422, code: 'invalid_content' },
      },
      {
        requests: [update(complete, { 'Idempotency-Key': 'free-{unique}' })],
        expect: { status: 200, headers: { 'idempotency-replayed': { is: 'absent' } } },
      },
    ],
  },
  {
    name: 'A key that is empty, too long or not visible ASCII is refused with 400.',
    source,
    changesNothing: true,
    steps: [
      {
        requests: ['', 'two words', 'k'.repeat(256), 'é'].map((key) => update(other, { 'Idempotency-Key': key })),
        expect: { status: 400, code: 'malformed_request' },
      },
    ],
  },
];

function keyed(key: string): Step {
  const headers = { 'idempotency-replayed': { is: 'absent' } } as const;
  return { as: 'first', requests: [update(complete, { 'Idempotency-Key': key })], expect: { status: 200, headers } };
}

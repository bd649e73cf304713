import type { InterfaceGuarantee } from '../interface-guarantee.ts';
import { complete } from './interface.ts';
import { update, updateWith } from './requests.ts';

type Body = Parameters<typeof updateWith>[0];

const bodyBytesMax = 65_536;

export const bodyGuarantees: readonly InterfaceGuarantee[] = [
  isRefused('An empty body, or one of white space', ['', ' \r\n\t']),
  isRefused('A body that is not JSON', [
    '{',
    '{"name"}',
    "{'name':'A'}",
    '{"name":"A",}',
    '{}{}',
    'NaN',
    '{} // comment',
    '{"name":"a\nb"}',
    '{"name":"\\x41"}',
  ]),
  isRefused('A body with two fields of one name, at any depth and in any spelling,', [
    '{"name":"A","name":"A"}',
    '{"name":"A","\\u006eame":"B"}',
    '{"listingInfo":{"backgroundColor":"#fff","backgroundColor":"#000"}}',
    '{"unknown":[{"a":1,"b":2,"a":3}]}',
  ]),
  isRefused('A body with a field __proto__', ['{"__proto__":{"name":"A"}}', '{"listingInfo":{"\\u005f_proto__":{}}}']),
  isRefused('A body that is not UTF-8, or begins with a byte order mark,', [
    { hex: '7b226e616d65223a22ff227d' },
    { hex: '7b226e616d65223a22eda080227d' },
    { hex: '7b007d00' },
    { hex: 'efbbbf7b7d' },
  ]),
  {
    name: 'A body may be nested as deeply as its size allows, and is validated like any other.',
    source: 'docs 4.1, 7.3',
    changesNothing: true,
    steps: [
      {
        requests: [updateWith('['.repeat(30_000) + ']'.repeat(30_000))],
        expect: { status: 422, code: 'invalid_content', errors: [' wrong_type'] },
      },
      {
        requests: [updateWith(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)],
        expect: { status: 422, code: 'invalid_content', errors: ['/a unknown_field'] },
      },
      { requests: [updateWith('[{"a":'.repeat(10_000))], expect: { status: 400, code: 'invalid_json' } },
    ],
  },
  {
    name: 'JSON may have white space around each token and any escapes in strings.',
    source: 'docs 4.1',
    steps: [
      {
        requests: [updateWith(' \r\n\t{ "\\u006eame" : "\\u0041 n\\u00e4me \\ud83e\\udd8a {unique}" } \n')],
        expect: { status: 200, body: { '/name': { equals: 'A näme 🦊 {unique}' } } },
      },
    ],
  },
  {
    name: 'A body of 65,536 bytes is accepted, and one of 65,537 is refused with 413.',
    source: 'docs 8',
    changesNothing: true,
    steps: [
      { requests: [updateWith('{}'.padEnd(bodyBytesMax))], expect: { status: 200 } },
      {
        requests: [
          updateWith('{}'.padEnd(bodyBytesMax + 1)),
          updateWith(JSON.stringify({ unknown: 'é'.repeat(bodyBytesMax / 2) })),
        ],
        expect: { status: 413, code: 'body_too_large' },
      },
    ],
  },
  {
    name: 'application/json and application/merge-patch+json are accepted, in any case and with parameters.',
    source: 'docs 4.1',
    steps: [
      {
        requests: [
          'application/json; charset=utf-8',
          'APPLICATION/JSON',
          'application/merge-patch+json',
          'application/merge-patch+json;charset="UTF-8"',
        ].map((type) => update({}, { 'Content-Type': type })),
        expect: { status: 200 },
      },
    ],
  },
  {
    name: 'A body of another media type or of none gets 415, with the accepted ones in Accept-Patch.',
    source: 'docs 4.1, 7.2',
    changesNothing: true,
    steps: [
      {
        requests: [null, 'text/plain', 'application/json-patch+json', 'application/jsonx', '*/*'].map((type) =>
          update(complete, { 'Content-Type': type }),
        ),
        expect: {
          status: 415,
          code: 'unsupported_media_type',
          headers: { 'accept-patch': { equals: 'application/json, application/merge-patch+json' } },
        },
      },
    ],
  },
  {
    name: 'A body with a Content-Encoding gets 415.',
    source: 'docs 4.1, 7.2',
    changesNothing: true,
    steps: [
      {
        requests: ['gzip', 'identity'].map((coding) => update(complete, { 'Content-Encoding': coding })),
        expect: { status: 415, code: 'unsupported_media_type' },
      },
    ],
  },
];

function isRefused(what: string, bodies: Body[]): InterfaceGuarantee {
  return {
    name: `${what} is refused with 400.`,
    source: 'docs 4.1, 7.2',
    changesNothing: true,
    steps: [{ requests: bodies.map((body) => updateWith(body)), expect: { status: 400, code: 'invalid_json' } }],
  };
}

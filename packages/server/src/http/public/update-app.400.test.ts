import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { HttpFixture } from '../../../test/http/http-fixture.ts';

const refused: Record<string, (string | Buffer)[]> = {
  'that is empty': ['', Buffer.alloc(0)],
  'that is not JSON': [
    '{',
    '{"name"}',
    '{name:"A"}',
    "{'name':'A'}",
    '{"name":"A",}',
    'undefined',
    'NaN',
    '01',
    '{}{}',
  ],
  'with a comment': ['{} // nothing', '/* nothing */ {}'],
  'of only white space': [' ', '\n\t\r '],
  'with white space that JSON does not allow': ['\u00a0{}', '\u2028{}', '\u000b{}'],
  'with a byte order mark': ['\ufeff{}', Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
  'with a raw control character in a text': ['{"name":"a\u0000b"}', '{"name":"a\nb"}', '{"name":"a\tb"}'],
  'with a broken escape': ['{"name":"\\x41"}', '{"name":"\\u12"}', '{"name":"\\"}'],
  'that is not UTF-8': [
    Buffer.from([0x22, 0xff, 0x22]),
    Buffer.from([0x22, 0xc0, 0x80, 0x22]),
    Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    Buffer.from([0x22, 0xe2, 0x82]),
    Buffer.from('{}', 'utf16le'),
    Buffer.from('{"name":"é"}', 'latin1'),
  ],
  'with two fields of one name': [
    '{"name":"A","name":"A"}',
    '{"name":"A","\\u006eame":"B"}',
    '{"listingInfo":{"backgroundColor":"#fff","backgroundColor":"#000"}}',
    '{"unknown":[{"a":1,"b":2,"a":3}]}',
    '{"":1,"":2}',
    '{"a\\"":1,"a\\u0022":2}',
  ],
  'with a field __proto__': [
    '{"__proto__":null}',
    '{"__proto__":{"name":"A"}}',
    '{"\\u005f_proto__":{}}',
    '{"listingInfo":{"__proto__":{}}}',
    '{"unknown":[[{"__proto__":1}]]}',
  ],
};

onSqlite((engine) => {
  let http: HttpFixture;
  let app: { id: string };
  before(async () => {
    http = await HttpFixture.open(engine);
    app = await http.data.newApp();
  });
  after(() => http.close());

  describe('a body is refused', () => {
    for (const [what, bodies] of Object.entries(refused)) {
      test(what, async () => {
        const before = await http.stateOf(app.id);
        for (const body of bodies) {
          assert.equal((await http.updateApp(app.id, body)).refusal, '400 invalid_json', JSON.stringify(body));
        }
        assert.deepEqual(await http.stateOf(app.id), before);
      });
    }

    test('that is missing, with a media type or without', async () => {
      const { authorization } = { authorization: `Bearer ${http.tokens.developer}` };
      const request = { method: 'PATCH', path: `/developer/apps/v1/${app.id}` };
      assert.equal((await http.send({ ...request, headers: { authorization } })).refusal, '400 invalid_json');
      const typed = { authorization, 'content-type': 'application/json' };
      assert.equal((await http.send({ ...request, headers: typed })).refusal, '400 invalid_json');
    });
  });

  describe('a body is accepted', () => {
    test('with the same name in different objects, and with texts that only look like fields', async () => {
      const body = '{"listingInfo":{"shortDescription":"\\"a\\":1,\\"a\\":2, __proto__: {"},"oauthInfo":{}}';
      assert.equal((await http.updateApp(app.id, body)).status, 200);
    });

    test('with white space around every token', async () => {
      assert.equal((await http.updateApp(app.id, ' \r\n\t{ "oauthInfo" : { } } \n')).status, 200);
    });

    test('with any escapes in its texts', async () => {
      const { view } = await http.updateApp(app.id, '{"\\u006eame":"\\u0041 n\\u00e4me \\ud83e\\udd8a"}');
      assert.equal(view.name, 'A näme 🦊');
    });
  });

  test('a body nested as deep as its size allows is validated like any other', async () => {
    const arrays = await http.updateApp(app.id, '['.repeat(30_000) + ']'.repeat(30_000));
    assert.deepEqual(arrays.validationErrors, [' wrong_type']);
    const objects = await http.updateApp(app.id, `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`);
    assert.deepEqual(objects.validationErrors, ['/a unknown_field']);
    const open = await http.updateApp(app.id, '[{"a":'.repeat(10_000));
    assert.equal(open.refusal, '400 invalid_json');
  });
});

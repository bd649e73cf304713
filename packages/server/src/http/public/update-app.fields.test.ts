import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import type { DeveloperApp } from '../../features/apps/app-schemas.ts';

interface TextField {
  pointer: string;
  valid: string;
  isRequired: boolean;
  /** A valid text of this length, in code points. */
  ofLength?: (length: number) => string;
  lengthMax?: number;
  malformed: string[];
}

const address = (length: number) => 'https://example.com/'.padEnd(length, 'a');
const foxes = (length: number) => '🦊'.repeat(length);

const textFields: TextField[] = [
  {
    pointer: '/name',
    valid: 'A name of its own',
    isRequired: true,
    ofLength: foxes,
    lengthMax: 100,
    malformed: [' padded', 'padded ', 'two\nlines', '\u200b', 'lone \ud800', 'bidi \u202e', 'nul \u0000'],
  },
  {
    pointer: '/listingInfo/shortDescription',
    valid: ' Keeps invoices and ledgers in step. ',
    isRequired: false,
    ofLength: foxes,
    lengthMax: 500,
    malformed: ['two\nlines', 'a tab\t', 'lone \udc00', 'bidi \u2066', 'nul \u0000'],
  },
  {
    pointer: '/listingInfo/longDescription',
    valid: 'One line,\r\nanother\tone.\n',
    isRequired: false,
    ofLength: foxes,
    lengthMax: 4000,
    malformed: ['a bare\rreturn', 'lone \ud800', 'line \u2028', 'nul \u0000'],
  },
  {
    pointer: '/listingInfo/backgroundColor',
    valid: '#0B5fFf',
    isRequired: true,
    malformed: ['#1234567', '#12345', '0b5fff', 'blue', '#ggg', '#fff '],
  },
  {
    pointer: '/oauthInfo/loginUrl',
    valid: 'https://EXAMPLE.com:443/login?next=%2F',
    isRequired: false,
    ofLength: address,
    lengthMax: 2048,
    malformed: ['http://example.com/', 'example.com', 'https://user@example.com/', 'https://example.com/#top'],
  },
  {
    pointer: '/oauthInfo/callbackUrl',
    valid: 'http://localhost:3000/callback',
    isRequired: false,
    ofLength: address,
    lengthMax: 2048,
    malformed: ['ftp://example.com/', 'https://*.example.com/', 'https://example.com/ ', 'javascript:alert(1)'],
  },
];

const notText = [true, false, 0, 5, 1.5, [], ['#fff'], {}, { text: '#fff' }];
const notObjects = [true, false, 0, 5, '', 'text', [], [{}]];

onSqlite((engine) => {
  let http: HttpFixture;
  let app: { id: string };
  before(async () => {
    http = await HttpFixture.open(engine);
    app = await http.data.newApp();
  });
  after(() => http.close());

  for (const { pointer, valid, isRequired, ofLength, lengthMax, malformed } of textFields) {
    describe(pointer, () => {
      test('stores a value and returns it unchanged', async () => {
        const { view } = await http.updateApp(app.id, withValue(pointer, valid));
        assert.equal(valueAt(view, pointer), valid);
      });

      test('does not change if it is absent', async () => {
        await http.updateApp(app.id, withValue(pointer, valid));
        const neighbour = pointer === '/name' ? '/oauthInfo/loginUrl' : '/name';
        const { view } = await http.updateApp(app.id, withValue(neighbour, `https://example.com${pointer}`));
        assert.equal(valueAt(view, pointer), valid);
      });

      if (isRequired) {
        test('cannot be null', async () => {
          await assertRefused(withValue(pointer, null), [`${pointer} null_not_allowed`]);
        });
      } else {
        test('is cleared by null', async () => {
          await http.updateApp(app.id, withValue(pointer, valid));
          const { view } = await http.updateApp(app.id, withValue(pointer, null));
          assert.equal(valueAt(view, pointer), undefined);
        });
      }

      test('refuses any other JSON type', async () => {
        for (const value of notText) await assertRefused(withValue(pointer, value), [`${pointer} wrong_type`]);
      });

      test(`cannot be empty${isRequired ? '' : ', and the error suggests null instead'}`, async () => {
        const response = await assertRefused(withValue(pointer, ''), [`${pointer} too_short`]);
        assert.equal(/Send null/.test(response.text), !isRequired);
      });

      test('refuses a value that violates its format', async () => {
        for (const value of malformed) await assertRefused(withValue(pointer, value), [`${pointer} invalid_format`]);
      });

      if (ofLength && lengthMax) {
        test(`accepts at most ${lengthMax} code points`, async () => {
          const { view } = await http.updateApp(app.id, withValue(pointer, ofLength(lengthMax)));
          assert.equal(valueAt(view, pointer), ofLength(lengthMax));
          await assertRefused(withValue(pointer, ofLength(lengthMax + 1)), [`${pointer} too_long`]);
        });
      }
    });
  }

  describe('/logoId', () => {
    let logoId: string;
    let foreignLogoId: string;
    before(async () => {
      logoId = (await http.data.newLogo()).id;
      foreignLogoId = (await http.data.newLogo(http.data.otherDeveloper.userId)).id;
    });

    test('accepts a logo of the developer, does not change if it is absent, and is cleared by null', async () => {
      const shown = `https://apps.example.com/logos/${logoId}`;
      assert.equal((await http.updateApp(app.id, { logoId })).view.logoUrl, shown);
      assert.equal((await http.updateApp(app.id, { name: 'With a logo' })).view.logoUrl, shown);
      assert.equal('logoUrl' in (await http.updateApp(app.id, { logoId: null })).view, false);
    });

    test('refuses an unknown logo and a logo of another developer', async () => {
      const unknown = [foreignLogoId, 'logo_01h455vb4pex5vsknk084sn02q', app.id, logoId.toUpperCase(), 'x'.repeat(100)];
      for (const id of unknown) await assertRefused({ logoId: id }, ['/logoId unusable_logo']);
    });

    test('refuses another JSON type, an empty text, a control character and more than 100 code points', async () => {
      for (const value of notText) await assertRefused({ logoId: value }, ['/logoId wrong_type']);
      await assertRefused({ logoId: '' }, ['/logoId too_short']);
      await assertRefused({ logoId: 'logo_\u0000' }, ['/logoId invalid_format']);
      await assertRefused({ logoId: 'x'.repeat(101) }, ['/logoId too_long']);
    });
  });

  for (const pointer of ['/listingInfo', '/oauthInfo']) {
    describe(pointer, () => {
      test('accepts an empty object, which changes nothing', async () => {
        const before = await http.stateOf(app.id);
        assert.equal((await http.updateApp(app.id, withValue(pointer, {}))).status, 200);
        assert.deepEqual(await http.stateOf(app.id), before);
      });

      test('cannot be null', async () => {
        await assertRefused(withValue(pointer, null), [`${pointer} null_not_allowed`]);
      });

      test('refuses any other JSON type', async () => {
        for (const value of notObjects) await assertRefused(withValue(pointer, value), [`${pointer} wrong_type`]);
      });

      test('refuses an unknown field', async () => {
        for (const field of ['colour', 'name', 'logoUrl', 'BackgroundColor', 'constructor', '']) {
          await assertRefused(withValue(`${pointer}/${field}`, null), [`${pointer}/${field} unknown_field`]);
        }
      });
    });
  }

  /** Asserts that the update is refused with exactly these errors, and writes nothing. */
  async function assertRefused(update: unknown, errors: string[]): Promise<HttpResponse<DeveloperApp>> {
    const before = await http.stateOf(app.id);
    const response = await http.updateApp(app.id, update);
    assert.equal(response.refusal, '422 invalid_content', JSON.stringify(update));
    assert.deepEqual(response.validationErrors, errors, JSON.stringify(update));
    assert.deepEqual(await http.stateOf(app.id), before);
    return response;
  }
});

/** `/a/b` and a value: `{"a":{"b":value}}`. */
function withValue(pointer: string, value: unknown): object {
  return pointer
    .slice(1)
    .split('/')
    .reduceRight((inner, field) => ({ [field]: inner }), value) as object;
}

function valueAt(view: object, pointer: string): unknown {
  return pointer
    .slice(1)
    .split('/')
    .reduce<unknown>((value, field) => (value as Record<string, unknown>)[field], view);
}

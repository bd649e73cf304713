import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { HttpFixture } from '../../../test/http/http-fixture.ts';

onSqlite((engine) => {
  let http: HttpFixture;
  let app: { id: string };
  before(async () => {
    http = await HttpFixture.open(engine);
    app = await http.data.newApp();
  });
  after(() => http.close());

  test('a body that is JSON but not an object is one validation error of the body', async () => {
    for (const body of ['null', 'true', '5', '"name"', '[]', '[{"name":"A"}]']) {
      assert.deepEqual((await http.updateApp(app.id, body)).validationErrors, [' wrong_type'], body);
    }
  });

  test('one response reports every validation error', async () => {
    const { refusal, validationErrors, problem } = await http.updateApp(app.id, {
      name: null,
      logoId: 5,
      reviewStatus: 'APPROVED',
      listingInfo: { backgroundColor: 'blue', shortDescription: '', colour: '#fff' },
      oauthInfo: { loginUrl: 'http://example.com/', callbackUrl: ['https://example.com/'] },
    });
    assert.equal(refusal, '422 invalid_content');
    assert.deepEqual(
      validationErrors.toSorted(),
      [
        '/listingInfo/backgroundColor invalid_format',
        '/listingInfo/colour unknown_field',
        '/listingInfo/shortDescription too_short',
        '/logoId wrong_type',
        '/name null_not_allowed',
        '/oauthInfo/callbackUrl wrong_type',
        '/oauthInfo/loginUrl invalid_format',
        '/reviewStatus read_only_field',
      ].toSorted(),
    );
    assert.equal(problem.detail, '8 values cannot be accepted. Nothing was changed.');
  });

  test('one invalid value refuses the complete update', async () => {
    const before = await http.stateOf(app.id);
    const response = await http.updateApp(app.id, {
      name: 'A good name',
      listingInfo: { shortDescription: 'Good.' },
      oauthInfo: { loginUrl: 5 },
    });
    assert.deepEqual(response.validationErrors, ['/oauthInfo/loginUrl wrong_type']);
    assert.deepEqual(await http.stateOf(app.id), before);
  });

  test('a body with null for fields that cannot be null is refused completely', async () => {
    const before = await http.stateOf(app.id);
    const flat = await http.updateApp(app.id, { name: 'Renamed', logoId: null, listingInfo: null, oauthInfo: null });
    assert.deepEqual(flat.validationErrors, ['/listingInfo null_not_allowed', '/oauthInfo null_not_allowed']);
    const deep = await http.updateApp(app.id, {
      name: 'Renamed',
      logoId: null,
      listingInfo: { shortDescription: null, longDescription: null, backgroundColor: null },
      oauthInfo: { loginUrl: null, callbackUrl: null },
    });
    assert.deepEqual(deep.validationErrors, ['/listingInfo/backgroundColor null_not_allowed']);
    assert.deepEqual(await http.stateOf(app.id), before);
  });

  describe('a field that an update does not have', () => {
    const readOnly = ['id', 'createdAt', 'updatedAt', 'reviewStatus', 'installationCount', 'logoUrl'];
    for (const field of [...readOnly, 'developer', 'installations']) {
      test(`${field} is reported as read-only`, async () => {
        const { validationErrors } = await http.updateApp(app.id, { [field]: null });
        assert.deepEqual(validationErrors, [`/${field} read_only_field`]);
      });
    }

    const unknown = {
      nam: '/nam',
      Name: '/Name',
      'a/b~c': '/a~1b~0c',
      '': '/',
      constructor: '/constructor',
      'é"': '/é"',
    };
    for (const [field, pointer] of Object.entries(unknown)) {
      test(`${JSON.stringify(field)} is reported as unknown`, async () => {
        const { validationErrors } = await http.updateApp(app.id, { [field]: null });
        assert.deepEqual(validationErrors, [`${pointer} unknown_field`]);
      });
    }
  });

  test('a response reports at most 100 validation errors', async () => {
    const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`m${index}`, 1]));
    assert.equal((await http.updateApp(app.id, fields)).validationErrors.length, 100);
  });
});

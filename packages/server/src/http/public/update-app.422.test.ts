import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { HttpFixture } from 'app-registry-testkit/http/http-fixture';

forEachEngine((engine) => {
  let http: HttpFixture;
  let app: { id: string };
  before(async () => {
    http = await HttpFixture.open(engine);
    app = await http.data.newApp();
  });
  after(() => http.close());

  test('a body that is JSON but not an object is one fault of the whole body', async () => {
    for (const body of ['null', 'true', '5', '"name"', '[]', '[{"name":"A"}]']) {
      assert.deepEqual((await http.updateApp(app.id, body)).validationErrors, [' wrong_type'], body);
    }
  });

  test('every fault is told in one answer', async () => {
    const {
      refusal,
      validationErrors: faults,
      problem,
    } = await http.updateApp(app.id, {
      name: null,
      logoId: 5,
      reviewStatus: 'APPROVED',
      listingInfo: { backgroundColor: 'blue', shortDescription: '', colour: '#fff' },
      oauthInfo: { loginUrl: 'http://example.com/', callbackUrl: ['https://example.com/'] },
    });
    assert.equal(refusal, '422 invalid_content');
    assert.deepEqual(
      faults.toSorted(),
      [
        '/listingInfo/backgroundColor invalid_format',
        '/listingInfo/colour unknown_member',
        '/listingInfo/shortDescription too_short',
        '/logoId wrong_type',
        '/name null_not_allowed',
        '/oauthInfo/callbackUrl wrong_type',
        '/oauthInfo/loginUrl invalid_format',
        '/reviewStatus read_only_member',
      ].toSorted(),
    );
    assert.equal(problem.detail, '8 values cannot be accepted. Nothing was changed.');
  });

  test('one fault refuses the good values beside it', async () => {
    const before = await http.stateOf(app.id);
    const answer = await http.updateApp(app.id, {
      name: 'A good name',
      listingInfo: { shortDescription: 'Good.' },
      oauthInfo: { loginUrl: 5 },
    });
    assert.deepEqual(answer.validationErrors, ['/oauthInfo/loginUrl wrong_type']);
    assert.deepEqual(await http.stateOf(app.id), before);
  });

  test('a body padded with nulls is refused as a whole', async () => {
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

  describe('a member that an update does not have', () => {
    const readOnly = ['id', 'createdAt', 'updatedAt', 'reviewStatus', 'installationCount', 'logoUrl'];
    for (const member of [...readOnly, 'developer', 'installations']) {
      test(`${member} is told to be read-only`, async () => {
        const { validationErrors: faults } = await http.updateApp(app.id, { [member]: null });
        assert.deepEqual(faults, [`/${member} read_only_member`]);
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
    for (const [member, pointer] of Object.entries(unknown)) {
      test(`${JSON.stringify(member)} is told to be unknown`, async () => {
        const { validationErrors: faults } = await http.updateApp(app.id, { [member]: null });
        assert.deepEqual(faults, [`${pointer} unknown_member`]);
      });
    }
  });

  test('at most 100 faults are told', async () => {
    const members = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`m${index}`, 1]));
    assert.equal((await http.updateApp(app.id, members)).validationErrors.length, 100);
  });
});

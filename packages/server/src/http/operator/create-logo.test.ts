import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { type EncodedForm, encodeForm } from '@appregistrar/testkit/http/form';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import sharp from 'sharp';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import { type Logo, renderLogo } from '../../features/logos/logo.ts';
import { readLogoImage } from '../../features/logos/logos.ts';
import { newId } from '../../kernel/ids.ts';
import type { PageOf } from '../../kernel/page.ts';

onSqlite((engine) => {
  let operator: OperatorFixture;
  let developerId: string;
  let image: Buffer;
  before(async () => {
    operator = await OperatorFixture.open(engine);
    developerId = operator.data.developer.id;
    image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
  });
  after(() => operator.close());

  const upload = ({ headers, body }: EncodedForm, more: Record<string, string> = {}): Promise<HttpResponse<Logo>> =>
    operator.send<Logo>({
      method: 'POST',
      path: '/operator/v1/logos',
      headers: { ...bearer(operator.tokens.portal.token), ...headers, ...more },
      body,
    });
  const uploadParts = async (...[parts]: Parameters<typeof encodeForm>) => upload(await encodeForm(parts));
  const listed = async (id = developerId) =>
    (await operator.call<PageOf<Logo>>(`GET /logos?developerId=${id}&limit=100`, { as: 'read' })).view.items;
  /** Asserts that the request stores no logo. */
  const refused = async (work: () => Promise<HttpResponse>) => {
    const logos = (await rowsOf(operator.data.registry.storage, 'logos')).length;
    const response = await work();
    assert.equal((await rowsOf(operator.data.registry.storage, 'logos')).length, logos);
    return response;
  };

  test('an image is stored as the registry renders it, whichever part comes first', async () => {
    for (const parts of [
      { developerId, image },
      { image, developerId },
    ]) {
      const response = await uploadParts(parts);
      assert.equal(response.status, 201);
      const { id, logoUrl } = response.view;
      assert.equal(logoUrl, `https://apps.example.com/logos/${id}`);
      assert.deepEqual((await listed()).at(-1), response.view);
      assert.deepEqual(
        Buffer.from(await readLogoImage(operator.data.registry, id)),
        Buffer.from(await renderLogo(image)),
      );
    }
  });

  test('an image is recognised by its bytes, regardless of the headers of its part', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle r="4"/></svg>';
    assert.equal((await uploadParts({ developerId, image: svg })).status, 201);
    assert.equal((await uploadParts({ developerId: Buffer.from(developerId), image: Buffer.from(svg) })).status, 201);
  });

  test('a form in the style of other clients is accepted', async () => {
    const lines = [
      'What comes before the first boundary.',
      '--a b',
      'Content-Type: text/plain; charset=utf-8',
      'content-disposition: form-data; name=developerId',
      '',
      developerId,
      '--a b',
      "Content-Disposition: form-data; name=image; filename=x.png; filename*=utf-8''x.png",
      '',
      '',
    ];
    const body = Buffer.concat([Buffer.from(lines.join('\r\n')), image, Buffer.from('\r\n--a b--\r\nand after')]);
    const response = await upload({ headers: { 'content-type': 'Multipart/Form-Data; Boundary="a b"' }, body });
    assert.equal(response.status, 201);
  });

  test('missing, unknown and duplicate parts are all reported in one response', async () => {
    const errorsOf = async (...[parts]: Parameters<typeof encodeForm>) => {
      const response = await refused(() => uploadParts(parts));
      assert.equal(response.refusal, '422 invalid_content');
      return response.validationErrors.toSorted();
    };
    assert.deepEqual(await errorsOf({ '': 'x' }), ['/ unknown_field', '/developerId required', '/image required']);
    assert.deepEqual(await errorsOf({ developerId, image, name: 'Logo', 'a/b': image, ['__proto__']: 'x' }), [
      '/__proto__ unknown_field',
      '/a~1b unknown_field',
      '/name unknown_field',
    ]);
    assert.deepEqual(await errorsOf({ developerId: [developerId, developerId], image: [image, image] }), [
      '/developerId not_allowed',
      '/image not_allowed',
    ]);
    assert.deepEqual(await errorsOf({ developerId: '', image }), ['/developerId too_short']);
    assert.deepEqual(await errorsOf({ developerId: 'x'.repeat(2_000), image }), ['/developerId too_long']);
  });

  test('the response reports the refusal of the registry unchanged', async () => {
    const both = await refused(() => uploadParts({ developerId: 'ada', image: Buffer.from('no image') }));
    assert.deepEqual(both.validationErrors, ['/developerId invalid_format', '/image invalid_format']);
    assert.deepEqual((await refused(() => uploadParts({ developerId, image: new Uint8Array() }))).validationErrors, [
      '/image invalid_format',
    ]);
    const unknown = newId('user');
    assert.equal(
      (await refused(() => uploadParts({ developerId: unknown, image }))).refusal,
      '404 developer_not_found',
    );
    assert.deepEqual(await listed(unknown), []);
  });

  test('a retry with the same Idempotency-Key returns the first response, and another image under that key is refused', async () => {
    const key = { 'idempotency-key': 'upload' };
    const form = await encodeForm({ developerId, image });
    const first = await upload(form, key);
    const again = await refused(() => upload(form, key));
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    const other = await encodeForm({
      developerId,
      image: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'),
    });
    assert.equal((await refused(() => upload(other, key))).refusal, '422 idempotency_key_reused');
  });

  test('an image of 1 MiB is accepted, and one byte more is refused with the limit', async () => {
    // A PNG may be followed by bytes that are not part of the image.
    const padded = (bytes: number) => Buffer.concat([image], bytes);
    assert.equal((await uploadParts({ image: padded(1_048_576), developerId })).status, 201);
    const response = await refused(() => uploadParts({ image: padded(1_048_577), developerId }));
    assert.equal(response.refusal, '413 body_too_large');
    assert.match(response.problem.detail, /1048576 bytes/);
  });

  test('a form larger than the largest image and its fields require is refused as too large', async () => {
    const response = await refused(() => uploadParts({ developerId, image, padding: 'x'.repeat(1_200_000) }));
    assert.equal(response.refusal, '413 body_too_large');
  });

  test('a form with too many parts is refused as malformed', async () => {
    const texts = Array.from({ length: 21 }, () => '');
    assert.deepEqual((await refused(() => uploadParts({ texts: texts.slice(1) }))).status, 422);
    const response = await refused(() => uploadParts({ texts }));
    assert.equal(response.refusal, '400 malformed_request');
  });

  test('a body that is truncated, or whose boundary differs from its header, is refused as malformed', async () => {
    const { headers, body } = await encodeForm({ developerId, image });
    const endings = [0, 1, 60, body.indexOf(image), body.indexOf(image) + 10, body.length - 10];
    for (const at of endings) {
      const response = await refused(() => upload({ headers, body: body.subarray(0, at) }));
      assert.equal(response.refusal, '400 malformed_request', `truncated at ${at}`);
    }
    for (const boundary of ['; boundary=other', '', `; boundary=${'x'.repeat(300)}`]) {
      const response = await refused(() =>
        upload({ headers: { 'content-type': `multipart/form-data${boundary}` }, body }),
      );
      assert.equal(response.refusal, '400 malformed_request', boundary);
    }
  });

  test('another media type or a Content-Encoding is refused, and the response names what is accepted', async () => {
    const { headers, body } = await encodeForm({ developerId, image });
    for (const type of ['application/json', 'image/png', 'multipart/mixed; boundary=x', 'multipart/form-datax', '']) {
      const response = await refused(() => upload({ headers: { 'content-type': type }, body }));
      assert.equal(response.refusal, '415 unsupported_media_type', type);
      assert.equal(response.headers.accept, 'multipart/form-data');
    }
    const encoded = await refused(() => upload({ headers, body }, { 'content-encoding': 'gzip' }));
    assert.deepEqual([encoded.refusal, encoded.headers['accept-encoding']], ['415 unsupported_media_type', 'identity']);
    assert.equal((await operator.call('POST /logos', { as: 'portal' })).refusal, '415 unsupported_media_type');
  });

  test('no other operation accepts a form', async () => {
    const { headers, body } = await encodeForm({ developerId, image });
    const { id } = await operator.data.newApp();
    for (const path of ['/operator/v1/developers', `/operator/v1/apps/${id}/submit`]) {
      const response = await operator.send({
        method: 'POST',
        path,
        headers: { ...bearer(operator.tokens.admin.token), ...headers },
        body,
      });
      assert.equal(response.refusal, '415 unsupported_media_type', path);
    }
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { addressParts, readAs } from './address.ts';

test('a URL is split into the parts that a reviewer reads one by one', () => {
  assert.deepEqual(addressParts('https://Login.example:8443/a/b?state=1&to=/c'), {
    scheme: 'https://',
    host: 'Login.example',
    port: ':8443',
    path: '/a/b',
    query: '?state=1&to=/c',
  });
  const minimal = { scheme: 'http://', host: '[::1]', port: '', path: '', query: '' };
  assert.deepEqual(addressParts('http://[::1]'), minimal);
});

test('a URL that a browser would open at another host is not split', () => {
  for (const url of ['https://good.example@evil.example/', 'https://a\\b.example/', 'not a URL', 'https://', '']) {
    assert.equal(addressParts(url), undefined, url);
  }
});

test('a punycode host is decoded as a browser decodes it', () => {
  assert.equal(readAs('xn--pypal-4ve.com'), 'pаypal.com');
  assert.equal(readAs('www.XN--MNCHEN-3YA.example'), 'www.münchen.example');
  assert.equal(readAs('plain.example'), undefined);
  assert.equal(readAs('[::1]'), undefined);
  // Punycode that stands for no text.
  for (const host of ['xn--.example', 'xn--a-.example', 'xn--99999999.example', 'xn--é.example']) {
    assert.doesNotThrow(() => readAs(host), host);
  }
});

test('any host that a browser encodes as punycode is decoded to the original', () => {
  const letters = [...'abcxyz0189-äßøаяλ语日本한국שםअआ😀'];
  const label = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 30 }).map((all) => all.join(''));
  fc.assert(
    fc.property(label, (given) => {
      const ascii = domainToASCII(`${given}.example`);
      fc.pre(ascii !== '');
      assert.equal(readAs(ascii) ?? ascii, domainToUnicode(ascii));
    }),
    { numRuns: 1_000 },
  );
});

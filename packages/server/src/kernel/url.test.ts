import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AppUpdate } from '../features/apps/app-schemas.ts';
import { check } from './check.ts';
import { isAppUrl } from './text.ts';

const accepted: Record<string, string[]> = {
  'an https URL': [
    'https://example.com',
    'https://a.b.c.example.com/oauth/callback?state=1&next=%2Fhome',
    'https://example.com?state=1',
    'https://single-label/',
    'https://example.com./callback',
    'https://under_score.example.com/',
  ],
  'a path and a query with every character that RFC 3986 allows': [
    "https://example.com/-._~!$&'()*+,;=:@/%20%7E?-._~!$&'()*+,;=:@/?%23",
    'https://example.com//double//slash/../dots/./',
    'https://example.com/?next=https://user@other.example/',
  ],
  ports: ['https://example.com:443/', 'https://example.com:/', 'https://example.com:65535/'],
  'an IP address in its canonical form': ['https://192.0.2.7/', 'https://[2001:DB8::7]:8443/'],
  'http for the loopback interface': [
    'http://localhost',
    'http://127.0.0.1:8080/callback',
    'http://[::1]:8080/callback',
  ],
  'a host in any case, and an international one as ASCII': ['https://EXAMPLE.com/', 'https://xn--bcher-kva.example/'],
};

const refused: Record<string, string[]> = {
  'other schemes and no scheme': [
    ...[
      '',
      'example.com',
      '//example.com/',
      '/callback',
      'javascript:alert(1)',
      'ftp://example.com/',
      'myapp://callback',
    ],
    ...['view-source:https://example.com/', 'httpss://example.com/', 'HTTPS://example.com/'],
  ],
  'slashes that are missing, too many or the wrong way': [
    ...['https:example.com', 'https:/example.com', 'https:///example.com/', 'https:\\\\example.com\\'],
    ...['https://example.com\\@other.example/', 'https://example.com/a\\b'],
  ],
  'no host': ['https://', 'https://?x', 'https://:443/'],
  'http for any other host': [
    ...['http://example.com/', 'http://localhost.example.com/', 'http://localhost./', 'http://LOCALHOST/'],
    ...['http://127.0.0.2/', 'http://127.0.0.1.example.com/', 'http://[::2]/', 'http://0.0.0.0/'],
  ],
  'user info': [
    ...['https://user@example.com/', 'https://@example.com/', 'https://example.com:443@other.example/'],
    ...['http://localhost@example.com/', 'https://example.com%40other.example/'],
  ],
  'a fragment': ['https://example.com/#', 'https://example.com#', 'https://example.com/?#x'],
  'a wildcard in the host': ['https://*/', 'https://*.example.com/', 'http://localhost*/'],
  'characters outside ASCII': [
    ...['https://bücher.example/', 'https://ｅｘａｍｐｌｅ.com/', 'https://example。com/', 'https://exаmple.com/'],
    ...['https://exa\u200bmple.com/', 'https://example.com/ü', 'https://example.com/?q=ü'],
  ],
  'a host in which something is percent-encoded': [
    ...[
      'https://ex%61mple.com/',
      'https://example%2Ecom/',
      'https://example.com%2F.other.example/',
      'http://%6Cocalhost/',
    ],
  ],
  'an IPv4 address in another notation': [
    ...['https://127.1/', 'https://2130706433/', 'https://0x7f.0.0.1/', 'https://127.000.000.001/'],
    ...['https://192.0.2.7./', 'https://256.0.0.1/', 'https://example.1/'],
  ],
  'an IPv6 address in another notation, or an invalid one': [
    ...['https://[2001:0db8::7]/', 'https://[0:0:0:0:0:0:0:7]/', 'https://[fe80::1%25eth0]/', 'https://[v1.fe80::a]/'],
    ...['https://[]/', 'https://[2001:db8::7/', 'https://2001:db8::7/'],
  ],
  'an invalid port': ['https://example.com:65536/', 'https://example.com:8a/', 'https://example.com:80:80/'],
  'white space and control characters, which browsers drop': [
    ...[' https://example.com/', 'https://example.com/ ', 'https://exa mple.com/', 'https://example.com/?a b'],
    ...['https://example.com/\n', 'https://exam\tple.com/', 'ht\ntps://example.com/', 'https://example.com/\u007f'],
  ],
  'characters that RFC 3986 does not allow, and a percent sign without two hexadecimal digits': [
    ...[
      'https://example.com/"',
      'https://example.com/<script>',
      'https://example.com/a|b',
      'https://example.com/?a[]=1',
    ],
    ...['https://exa<mple.com/', 'https://example.com/%', 'https://example.com/%2', 'https://example.com/%zz'],
  ],
};

describe('an app URL may be', () => {
  for (const [what, urls] of Object.entries(accepted)) {
    test(what, () => {
      for (const url of urls) assert.equal(isAppUrl(url), true, url);
    });
  }
});

describe('an app URL may not have', () => {
  for (const [what, urls] of Object.entries(refused)) {
    test(what, () => {
      for (const url of urls) assert.equal(isAppUrl(url), false, JSON.stringify(url));
    });
  }
});

test('no character of the authority makes a browser open another host than the text names', () => {
  const troublesome = fc.constantFrom(...'@:\\/#?%*[].x1 \t\n。％＠');
  const authority = fc.array(troublesome, { maxLength: 8 }).map((characters) => characters.join(''));
  fc.assert(
    fc.property(authority, authority, (before, after) => {
      const url = `https://${before}good.example${after}`;
      if (!isAppUrl(url)) return;
      const named = url.slice('https://'.length).split(/[/?:]/)[0];
      assert.equal(new URL(url).hostname, named);
    }),
    { numRuns: 5000 },
  );
});

describe('the length of a URL', () => {
  const ofLength = (length: number) => 'https://example.com/'.padEnd(length, 'a');

  for (const field of ['loginUrl', 'callbackUrl']) {
    test(`of ${field} is at most 2,048`, () => {
      assert.equal(check(AppUpdate, { oauthInfo: { [field]: ofLength(2048) } }), null);
      assert.deepEqual(check(AppUpdate, { oauthInfo: { [field]: ofLength(2049) } }), [
        { pointer: `/oauthInfo/${field}`, code: 'too_long', detail: 'The value must have at most 2048 characters.' },
      ]);
    });
  }
});

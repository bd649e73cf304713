import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostKey, readHost, siteOf, urlHost } from './hosts.ts';

const plain = { isIpAddress: false, isPunycode: false };
const hosts: [url: string, host: ReturnType<typeof urlHost>][] = [
  ['https://Login.Example:8443/a?b', { name: 'login.example', unicode: 'login.example', ...plain }],
  ['https://login.example./', { name: 'login.example', unicode: 'login.example', ...plain }],
  ['http://localhost/', { name: 'localhost', unicode: 'localhost', ...plain }],
  ['https://127.0.0.1/', { name: '127.0.0.1', unicode: '127.0.0.1', ...plain, isIpAddress: true }],
  ['https://0x7f.1/', { name: '127.0.0.1', unicode: '127.0.0.1', ...plain, isIpAddress: true }],
  ['https://2130706433/', { name: '127.0.0.1', unicode: '127.0.0.1', ...plain, isIpAddress: true }],
  ['https://[2001:DB8::1]/', { name: '[2001:db8::1]', unicode: '[2001:db8::1]', ...plain, isIpAddress: true }],
  [
    'https://www.xn--mnchen-3ya.de/',
    { name: 'www.xn--mnchen-3ya.de', unicode: 'www.münchen.de', ...plain, isPunycode: true },
  ],
  ['not a URL', null],
];

const typed: [text: string, name: string | undefined][] = [
  ['Evil.Example.', 'evil.example'],
  ['https://evil.example', 'evil.example'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['[::1]', '[::1]'],
  ['127.1', '127.0.0.1'],
  ['evil.example/path', undefined],
  ['evil.example:443', undefined],
  ['user@evil.example', undefined],
  ['evil example', undefined],
  ['*.evil.example', undefined],
  ['﹡.evil.example', undefined],
  ['＊.evil.example', undefined],
  ['evil`.example', undefined],
  ['evil_shop.example', 'evil_shop.example'],
  ['.evil.example', undefined],
  ['evil..example', undefined],
  ['user@[::1]', undefined],
  ['evil.example/[::1]', undefined],
  ['', undefined],
];

describe('hosts', () => {
  for (const [url, host] of hosts) test(`the host of ${url}`, () => assert.deepEqual(urlHost(url), host));

  for (const [text, name] of typed) {
    test(`${JSON.stringify(text)} is read as ${name ?? 'no host'}`, () => assert.equal(readHost(text)?.name, name));
  }

  for (const [host, site] of [
    ['login.acme.example', 'acme.example'],
    ['a.b.acme.co.uk', 'acme.co.uk'],
    ['www.acme.github.io', 'acme.github.io'],
    ['github.io', 'github.io'],
    ['localhost', 'localhost'],
    ['10.0.0.1', '10.0.0.1'],
    ['[2001:db8::1]', '[2001:db8::1]'],
    ['my_login.acme.com', 'acme.com'],
    ['login.xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
  ] as const) {
    test(`the site of ${host} is ${site}`, () => {
      assert.equal(siteOf(urlHost(`https://${host}/`) ?? assert.fail(host)).name, site);
    });
  }

  test('the key of a host is the start of the keys of its subdomains, and of no other', () => {
    const keyOf = (url: string) => hostKey(urlHost(url) ?? assert.fail(url));
    const key = keyOf('https://evil.example/');
    assert.equal(key, 'example.evil.');
    assert.ok(keyOf('https://login.evil.example/').startsWith(key));
    assert.ok(!keyOf('https://evil.example.com/').startsWith(key));
    assert.ok(!keyOf('https://notevil.example/').startsWith(key));
    assert.equal(keyOf('https://10.0.0.1/'), '10.0.0.1.');
  });
});

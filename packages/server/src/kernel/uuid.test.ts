import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uuidV5 } from './ids.ts';

const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

test('a UUIDv5 is the one of RFC 9562, appendix A.4', () => {
  assert.equal(uuidV5(dns, 'www.example.com'), '2ed6657d-e927-568b-95e1-2665a8aea6a2');
});

test('a UUIDv5 hashes the UTF-8 of its name, and the namespace regardless of case', () => {
  // Python: uuid.uuid5(uuid.NAMESPACE_DNS, 'app:Zoë')
  assert.equal(uuidV5(dns.toUpperCase(), 'app:Zoë'), 'e1759124-1c31-5f83-843e-964148bd902a');
});

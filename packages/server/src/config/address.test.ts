import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAddress } from './address.ts';

test('an address is formatted as in a URL', () => {
  assert.equal(formatAddress({ host: '127.0.0.1', port: 8080 }), '127.0.0.1:8080');
  assert.equal(formatAddress({ host: 'localhost', port: 80 }), 'localhost:80');
  assert.equal(formatAddress({ host: '::1', port: 8080 }), '[::1]:8080');
});

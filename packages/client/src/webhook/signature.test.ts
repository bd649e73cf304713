import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSecrets } from './secret.ts';
import { isSigned } from './signature.ts';

/** The fixed vector of the Standard Webhooks specification, as its libraries test it. */
const vector = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  body: new TextEncoder().encode('{"test": 2432232314}'),
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const keys = readSecrets('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');

test('the fixed vector of the specification is signed', async () => {
  assert.equal(await isSigned(vector, keys), true);
});

test('the fixed vector with any byte changed is not signed', async () => {
  const others = [
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJeK' },
    { timestamp: '1614265331' },
    { body: new TextEncoder().encode('{"test":2432232314}') },
    { signature: 'v1,h0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' },
  ];
  for (const other of others) assert.equal(await isSigned({ ...vector, ...other }, keys), false);
  assert.equal(await isSigned(vector, readSecrets('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx')), false);
});

test('a valid signature is found among others, and versions other than v1 are ignored', async () => {
  const other = 'Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';
  const [, good] = vector.signature.split(',');
  const among = `v1,${other} v2,${other} v1a,${good} v1,not-base64! ${vector.signature} v1,${other}`;
  assert.equal(await isSigned({ ...vector, signature: among }, keys), true);
  for (const signature of [`v2,${good}`, `v1a,${good}`, `V1,${good}`, `v1${good}`, `${good}`, `v1 ,${good}`]) {
    assert.equal(await isSigned({ ...vector, signature }, keys), false, signature);
  }
});

test('a partial, extended or missing signature is not valid', async () => {
  const { signature } = vector;
  for (const wrong of ['', ' ', 'v1,', signature.slice(0, 8), signature.slice(0, -4), `${signature}AAAA`]) {
    assert.equal(await isSigned({ ...vector, signature: wrong }, keys), false, wrong);
  }
});

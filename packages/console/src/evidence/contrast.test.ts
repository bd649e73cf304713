import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestText, contrast, contrastMin } from './contrast.ts';

test('the contrast of two colours follows WCAG, in either order and notation', () => {
  assert.equal(contrast('#000', '#ffffff'), 21);
  assert.equal(contrast('#fff', '#FFF'), 1);
  // The greys on either side of the threshold in the examples of WCAG.
  assert.equal(contrast('#767676', '#ffffff').toFixed(2), '4.54');
  assert.equal(contrast('#ffffff', '#777777').toFixed(2), '4.48');
});

test('the better text colour is chosen, and its ratio shows when even that is hard to read', () => {
  assert.equal(bestText('#ffffff').color, '#212529');
  assert.equal(bestText('#0b7285').color, '#ffffff');
  assert.ok(bestText('#364fc7').ratio > contrastMin);
  assert.ok(bestText('#7b7b7b').ratio < contrastMin);
});

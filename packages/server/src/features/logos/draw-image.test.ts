import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { demoLogo } from '../../cli/dev/demo-data.ts';
import { Failure } from '../../kernel/failure.ts';
import { drawImage } from './draw-image.ts';
import { renderLogo } from './logo.ts';

const logo = demoLogo(0x0b5fff, 0xffc53d);
const tooExpensive = {
  outcome: 'refused',
  reason: 'The image takes too much time or memory to render. Simplify it.',
};

test('the same image always produces the same bytes', async () => {
  const first = await renderLogo(logo);
  assert.deepEqual(Buffer.from(first).subarray(1, 4), Buffer.from('PNG'));
  assert.deepEqual(await renderLogo(Buffer.concat([logo, Buffer.from(' ')])), first);
});

test('an image that takes more time or memory than it may is aborted, and the next one is drawn', async () => {
  const outcomes = await Promise.all([
    drawImage(logo, { cpuMs: 1 }),
    drawImage(logo, { memoryBytes: 2 ** 20 }),
    drawImage(logo),
  ]);
  assert.deepEqual(outcomes.slice(0, 2), [tooExpensive, tooExpensive]);
  assert.equal(outcomes[2]?.outcome, 'drawn');
});

describe('an image is refused with the reason', () => {
  for (const [what, image, detail] of [
    ['with more than 1 MiB', Buffer.alloc(1_048_577), 'The image must have at most 1 MiB.'],
    ['with 1 MiB of nothing', Buffer.alloc(1_048_576), 'The file cannot be read as a PNG, JPEG, WebP or SVG image.'],
    [
      'with an SVG that cannot be read',
      Buffer.from('<svg'),
      'The file cannot be read as a PNG, JPEG, WebP or SVG image.',
    ],
    [
      'with an SVG that contains text',
      Buffer.from('<svg><text>Logo</text></svg>'),
      'The SVG contains text, but no fonts are available. Convert the text to paths.',
    ],
  ] as const) {
    test(what, () =>
      assert.rejects(renderLogo(image), (error) => {
        assert.ok(error instanceof Failure && error.code === 'invalid_content', String(error));
        assert.deepEqual(error.errors, [{ pointer: '', code: 'invalid_format', detail }]);
        return true;
      }),
    );
  }
});

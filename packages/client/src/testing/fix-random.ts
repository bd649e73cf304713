import type { TestContext } from 'node:test';

const { random } = Math;

/** `Math.random` gives one number until the test ends. Unlike `t.mock`, it may be called several times in a test. */
export function fixRandom(t: TestContext, value: number): void {
  Math.random = () => value;
  t.after(() => {
    Math.random = random;
  });
}

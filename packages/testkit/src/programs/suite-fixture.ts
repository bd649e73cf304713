import assert from 'node:assert/strict';
import { after, before } from 'node:test';

/**
 * A fixture of the suite in which this is called: opened before its tests, and closed after them. Until then it has
 * neither fields nor methods.
 */
export function suiteFixture<Fixture extends { close(): Promise<void> }>(open: () => Promise<Fixture>): Fixture {
  let opened: Fixture | undefined;
  before(async () => {
    opened = await open();
  });
  after(() => opened?.close());
  return new Proxy({} as Fixture, {
    get(_, name) {
      const fixture = opened ?? assert.fail('the suite has not begun');
      const value = Reflect.get(fixture, name, fixture);
      return typeof value === 'function' ? value.bind(fixture) : value;
    },
  });
}

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import type { Engine } from '@appregistrar/testkit/engines/engines';
import { fileOf, type Line, refusalOf, rowCounts } from '@appregistrar/testkit/registry/import-file';
import { eventsDuring, everything, withoutNonce } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture, type RegistryFixtureSettings } from '@appregistrar/testkit/registry/registry-fixture';
import type { ImportInput } from '../../src/features/import-export/import-input.ts';
import { importRegistry } from '../../src/features/import-export/import-registry.ts';
import { checkRegistry } from '../../src/features/integrity/check-registry.ts';
import { commandLine } from '../../src/kernel/registry.ts';
import { observeClock } from '../../src/kernel/time.ts';

type Options = Omit<ImportInput, 'open' | 'csv'>;

type Data = Record<string, unknown> | null;
type Event = [type: string, subjectId: string, before: Data, after: Data, more?: object];

/** A line with its expected errors, each as pointer and code. */
export type Case = readonly [Line, ...string[]];

/** The registry of the tests of one suite, into which they import lines. It is consistent after all of them. */
export class ImportFixture {
  #fixture: RegistryFixture | undefined;

  constructor(engine: Engine, settings: RegistryFixtureSettings = {}) {
    before(async () => {
      this.#fixture = await RegistryFixture.open(engine, settings);
      await observeClock(this.registry);
    });
    after(async () => {
      await checkRegistry(this.registry);
      await this.fixture.close();
    });
  }

  get fixture() {
    return this.#fixture ?? assert.fail('the suite has not begun');
  }

  get registry() {
    return this.fixture.registry;
  }

  get developerId() {
    return this.fixture.developer.id;
  }

  import(lines: readonly Line[], options: Options = {}) {
    return importRegistry(this.registry, commandLine, { open: fileOf(lines), ...options });
  }

  /** Imports lines that change nothing. */
  async importUnchanged(lines: readonly Line[], options: Options = {}) {
    const stored = await everything(this.registry.storage);
    const summary = await this.import(lines, options);
    assert.deepEqual(await everything(this.registry.storage), stored);
    return summary;
  }

  /** Imports all lines as one file: all errors must be reported together, and nothing stored. */
  async assertErrors(...cases: Case[]) {
    const stored = await rowCounts(this.registry);
    const refused = await refusalOf(this.import(cases.map(([line]) => line)));
    const expected = cases.flatMap(([, ...errors], index) => errors.map((error) => `${index + 1} ${error}`));
    assert.deepEqual(
      refused.errors.map(({ line, pointer, code }) => `${line} ${pointer} ${code}`.replace('  ', ' ')).toSorted(),
      expected.toSorted(),
    );
    assert.match(refused.detail, /cannot be accepted\. Nothing was changed\.$/);
    assert.deepEqual(await rowCounts(this.registry), stored);
    return refused;
  }

  /** The type, subject and data of each event of an import. */
  async eventsOf(...lines: Line[]) {
    const events = await eventsDuring(this.registry, () => this.import(lines));
    return events.map(({ type, subject_id, before: old, after: now, details, effective }): Event => {
      const more = { ...details, ...(effective !== undefined && { effective }) };
      const data = now && (withoutNonce(now) as typeof now);
      return Object.keys(more).length > 0 ? [type, subject_id, old, data, more] : [type, subject_id, old, data];
    });
  }

  show(id: string) {
    return getAppAsOperator(this.registry, id);
  }

  async review(appId: string, ...steps: Parameters<RegistryFixture['review']>[1][]) {
    for (const step of steps) await this.fixture.review(appId, step);
  }
}

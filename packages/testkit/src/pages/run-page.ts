import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../engines/engines.ts';
import { OperatedRegistry } from './operated-registry.ts';
import { needSystem, type OperatingPage, type Section, suit } from './operating-page.ts';

/** What a section of `docs/operating.md` promises, and the work that shows it. */
export interface Scenario {
  promise: string;
  /** The one engine that the section is about. */
  engine?: Engine['name'];
  /** What its commands find in their environment, beside what all find. */
  given?: Record<string, string>;
  work(scene: Scene): Promise<void>;
}

/** A registry, and the commands of a section to run on it. */
export interface Scene {
  readonly engine: Engine;
  readonly section: Section;
  readonly registry: OperatedRegistry;
  /** Runs the next block as it stands, but for what is replaced, and answers what it prints. */
  run(replaced?: Record<string, string>): Promise<string>;
}

interface Running {
  engine: Engine;
  /** Whether to run the blocks that need programs of the system, or the others. */
  ofSystem: boolean;
  /** By the title of the section. */
  scenarios: Record<string, Scenario>;
}

/** Declares a test for each section with commands. It fails without a scenario that runs them all. */
export function runPage(page: OperatingPage, { engine, ofSystem, scenarios }: Running): void {
  for (const section of page.sections) {
    const blocks = section.blocks('sh').filter((block) => needSystem(block) === ofSystem && suit(engine.name, block));
    const scenario = scenarios[section.title];
    if (blocks.length === 0 || (scenario?.engine ?? engine.name) !== engine.name) continue;
    test(`${section.title}: ${scenario?.promise ?? 'somebody runs its commands'}`, async () => {
      assert.ok(scenario);
      const registry = await OperatedRegistry.open(engine, scenario.given);
      try {
        await scenario.work({
          engine,
          section,
          registry,
          run: (replaced) => registry.shell.run(next(blocks, replaced)),
        });
        assert.deepEqual(blocks, [], 'every block is run');
      } finally {
        await registry.close();
      }
    });
  }
}

function next(blocks: string[], replaced: Record<string, string> = {}): string {
  return Object.entries(replaced).reduce((block, [shown, used]) => {
    assert.ok(block.includes(shown), `${shown} in ${block}`);
    return block.replaceAll(shown, used);
  }, blocks.shift() ?? assert.fail('there is no further block'));
}

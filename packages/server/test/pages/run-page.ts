import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '@appregistrar/testkit/engines/engines';
import { needSystem, type OperatingPage, type Section, suit } from '@appregistrar/testkit/pages/operating-page';
import { OperatedRegistry } from './operated-registry.ts';

/** The guarantee of a section of a page, and the work that proves it. */
export interface Scenario {
  guarantee: string;
  /** The engine of a section about one engine, or with commands that no engine can break. */
  engine?: Engine['name'];
  /** Additional environment variables of its commands. */
  given?: Record<string, string>;
  work(scene: Scene): Promise<void>;
}

/** A registry, and the commands of a section to run against it. */
export interface Scene {
  readonly engine: Engine;
  readonly section: Section;
  readonly registry: OperatedRegistry;
  /** Runs the next block after some replacements, and returns its output. */
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
    test(`${section.title}: ${scenario?.guarantee ?? 'a scenario runs its commands'}`, async () => {
      assert.ok(scenario);
      const registry = await OperatedRegistry.open(engine, scenario.given);
      try {
        await scenario.work({
          engine,
          section,
          registry,
          run: (replaced) => registry.shell.run(next(blocks, replaced)),
        });
        assert.deepEqual(blocks, [], 'every block runs');
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
  }, blocks.shift() ?? assert.fail('no block is left'));
}

/** Tests that run in the same way. */
export interface Group {
  /** Globs of its files, from the root. */
  readonly files: string[];
  /** Workspaces that are built first. */
  readonly build?: string[];
  /** A module with `globalSetup` and `globalTeardown`, which run before and after the files of each shared process, or of all. */
  readonly setup?: string;
  /** How many files share a process at most; each has its own unless given. */
  readonly filesPerProcess?: number;
  /** How many processes run at the same time. */
  readonly processes: number;
  /** A test that takes longer hangs. */
  readonly testMsMax: number;
}

const engines = 'packages/testkit/src/engines';

export const groups: Record<string, Group> = {
  quick: {
    files: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'faults/**/*.test.ts'],
    setup: `${engines}/global-setup.ts`,
    filesPerProcess: 50,
    processes: 2,
    testMsMax: 120_000,
  },
  slow: {
    files: ['packages/*/src/**/*.slow.test.ts', 'scripts/test/*.slow.test.ts', 'bench/**/*.test.ts'],
    setup: `${engines}/global-setup.ts`,
    processes: 3,
    testMsMax: 120_000,
  },
  system: {
    files: ['packages/*/src/**/*.system.test.ts'],
    setup: `${engines}/system-setup.ts`,
    processes: 2,
    testMsMax: 300_000,
  },
  browser: {
    files: ['packages/console/browser/**/*.test.ts'],
    build: ['@appregistrar/console'],
    setup: 'packages/console/browser/browser-setup.ts',
    filesPerProcess: 20,
    processes: 2,
    testMsMax: 120_000,
  },
  marketplace: {
    files: ['examples/marketplace/e2e/*.test.ts'],
    build: ['@appregistrar/client', '@appregistrar/console'],
    processes: 2,
    testMsMax: 300_000,
  },
};

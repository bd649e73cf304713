/** Tests that run in the same way. */
export interface Group {
  /** Globs of its files, from the root. */
  readonly files: string[];
  /** Workspaces that are built first. */
  readonly build?: string[];
  /** A module with `globalSetup` and `globalTeardown`, which run before and after all files of a shared process, or of all. */
  readonly setup?: string;
  /** Whether many files share each process; otherwise each has its own. */
  readonly shared: boolean;
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
    shared: true,
    processes: 2,
    testMsMax: 120_000,
  },
  slow: {
    files: ['packages/*/src/**/*.slow.test.ts', 'scripts/test/*.slow.test.ts', 'bench/**/*.test.ts'],
    setup: `${engines}/global-setup.ts`,
    shared: false,
    processes: 3,
    testMsMax: 120_000,
  },
  system: {
    files: ['packages/*/src/**/*.system.test.ts'],
    setup: `${engines}/system-setup.ts`,
    shared: false,
    processes: 2,
    testMsMax: 300_000,
  },
  browser: {
    files: ['packages/console/browser/**/*.test.ts'],
    build: ['@appregistrar/console'],
    setup: 'packages/console/browser/browser-setup.ts',
    shared: true,
    processes: 2,
    testMsMax: 120_000,
  },
  marketplace: {
    files: ['examples/marketplace/e2e/*.test.ts'],
    build: ['@appregistrar/client', '@appregistrar/console'],
    shared: false,
    processes: 2,
    testMsMax: 300_000,
  },
};

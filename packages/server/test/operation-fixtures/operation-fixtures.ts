import type { OperatorOperationId } from '../../src/features/operations.ts';
import { accessFixtures } from './access-fixtures.ts';
import { appFixtures } from './app-fixtures.ts';
import { eventFixtures } from './event-fixtures.ts';
import { installationFixtures } from './installation-fixtures.ts';
import { casesOf, type OperationCase, type OperationFixture } from './operation-fixture.ts';
import { reviewFixtures } from './review-fixtures.ts';
import { settingFixtures } from './setting-fixtures.ts';
import { webhookFixtures } from './webhook-fixtures.ts';

/**
 * Requests of every operation whose command derives from it: with every parameter, and with every refusal that a command
 * can have too.
 */
const operationFixtures: Record<Exclude<OperatorOperationId, 'streamEvents' | 'runImport'>, OperationFixture> = {
  ...accessFixtures,
  ...appFixtures,
  ...reviewFixtures,
  ...installationFixtures,
  ...webhookFixtures,
  ...eventFixtures,
  ...settingFixtures,
};

/** The requests of each operation, in the order in which they run. Those of one need none of another. */
export const operationCases = Object.entries(operationFixtures).map(
  ([operationId, fixture]): [OperatorOperationId, OperationCase[]] => [
    operationId as OperatorOperationId,
    casesOf(operationId as OperatorOperationId, fixture),
  ],
);

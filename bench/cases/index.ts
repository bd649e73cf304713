import type { Case } from '../harness/case.ts';
import { flatCase } from './flat.ts';
import { getAppCase } from './get-app.ts';
import { hotAppCase } from './hot-app.ts';
import { latencyCase } from './latency.ts';
import { longListCase } from './long-list.ts';
import { mixedCase } from './mixed.ts';
import { notModifiedCase } from './not-modified.ts';
import { processesCase } from './processes.ts';
import { startCase } from './start.ts';
import { syncTimeCase } from './sync-time.ts';
import { updatesCase } from './updates.ts';
import { webhooksCase } from './webhooks.ts';

/** In the order of execution and of the report. */
export const cases: Case[] = [
  getAppCase,
  notModifiedCase,
  updatesCase,
  latencyCase,
  syncTimeCase,
  mixedCase,
  flatCase,
  longListCase,
  hotAppCase,
  startCase,
  processesCase,
  webhooksCase,
];

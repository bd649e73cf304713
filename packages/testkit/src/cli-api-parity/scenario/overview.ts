import { cli, done, type ParityCase } from '../parity-case.ts';

export const overview: ParityCase[] = [
  done('showOverview', cli`overview`),
  done('showStatistics', cli`statistics`),
  done('showCaller', cli`whoami`),
];

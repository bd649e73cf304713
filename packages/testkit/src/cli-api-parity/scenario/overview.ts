import { cli, done, type ParityCase, refused } from '../parity-case.ts';

export const overview: ParityCase[] = [
  done('getOverview', cli`overview`),
  done('getStatistics', cli`statistics`),
  done('getCaller', cli`whoami`),
  done('search', cli`search example`, { query: { q: 'example' } }),
  done('search', cli`search ${'invoice sync'} --limit 1`, { query: { q: 'invoice sync', limit: '1' } }),
  refused('search invalid_content', cli`search example --limit 21`, { query: { q: 'example', limit: '21' } }),
];

/** A server that speaks PostgreSQL's protocol but cannot hold a registry. */
interface OtherEngine {
  /** Found in the text that `version()` returns. */
  mark: RegExp;
  name: string;
  lacks: string;
}

const analytical = 'it is made for analysis and enforces no unique keys or foreign keys';
const streaming = 'it has no unique keys, foreign keys or row locks';

/**
 * Engines that are known to lack what a guarantee depends on, so that the error names the engine and not its first unknown
 * function. What others lack shows in `capabilities.ts`.
 */
const otherEngines: readonly OtherEngine[] = [
  {
    mark: /CockroachDB/,
    name: 'CockroachDB',
    lacks: 'its advisory locks may not exclude each other, and it has no LOCK TABLE',
  },
  { mark: /Redshift/, name: 'Amazon Redshift', lacks: analytical },
  { mark: /Greenplum|Cloudberry/, name: 'Greenplum', lacks: 'it enforces no foreign keys' },
  { mark: /Materialize/, name: 'Materialize', lacks: streaming },
  { mark: /RisingWave/, name: 'RisingWave', lacks: streaming },
  { mark: /CrateDB/, name: 'CrateDB', lacks: 'it has no transactions' },
  { mark: /QuestDB/, name: 'QuestDB', lacks: 'it has no unique keys, foreign keys or row locks' },
  { mark: /openGauss|GaussDB/, name: 'openGauss', lacks: 'it is a fork of PostgreSQL 9.2' },
];

/** The engine behind the text that `version()` returns, if it cannot hold a registry; null for PostgreSQL and any other. */
export function otherEngineOf(version: string): OtherEngine | null {
  return otherEngines.find(({ mark }) => mark.test(version)) ?? null;
}

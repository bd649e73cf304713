/**
 * Null on a primary. On a standby PostgreSQL refuses to execute it: what a standby has may be older than what was
 * acknowledged, so nothing may be read there and no refusal based on it.
 *
 * A server never turns from a primary into a standby without closing its connections. So a check of each new connection
 * would be enough, if a pooler could not give each transaction another server. Hence each batch of the gate, each write
 * and each snapshot checks too, within a statement that it sends anyway: it takes 2 µs at most. Only
 * other reads would need a transaction for it, and get one only behind a pooler.
 */
export const refuseStandby = 'case when pg_is_in_recovery() then pg_current_wal_lsn() end';

/** Returns no row on a primary. */
export const refusingStandby = `select null where ${refuseStandby} = '0/0'`;

import type { Storage } from '../../storage/storage.ts';
import type { Registry } from '../registry.ts';
import { countRegistry, type RegistryCounts } from './count-registry.ts';

const goodMsMax = 60_000;
/** Counting that takes less is not worth reusing. */
const quickMs = 100;

interface KnownCounts {
  counts: Promise<RegistryCounts>;
  /** By the uptime of the machine. */
  beganAtMs: number;
  /** Infinite while counting, so that no concurrent caller counts too. */
  goodMs: number;
}

/** The last counts of each database that this process has counted. */
const known = new WeakMap<Storage, KnownCounts>();

/**
 * The counts of the registry, at most a minute old. A small registry is counted each time. The counts of a large one are
 * reused for a hundred times as long as counting took, so that this takes at most a hundredth of the time.
 */
export function recentCounts(registry: Registry): Promise<RegistryCounts> {
  const last = known.get(registry.storage);
  const ageMs = registry.machine.uptimeMs() - (last?.beganAtMs ?? 0);
  return last && ageMs < last.goodMs ? last.counts : recount(registry);
}

async function recount(registry: Registry): Promise<RegistryCounts> {
  const { storage, machine } = registry;
  const begun = { beganAtMs: machine.uptimeMs(), counts: countRegistry(registry), goodMs: Number.POSITIVE_INFINITY };
  known.set(storage, begun);
  try {
    const counts = await begun.counts;
    const tookMs = machine.uptimeMs() - begun.beganAtMs;
    begun.goodMs = tookMs < quickMs ? 0 : Math.min(100 * tookMs, goodMsMax);
    return counts;
  } catch (error) {
    known.delete(storage);
    throw error;
  }
}

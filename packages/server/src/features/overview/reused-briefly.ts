import type { Registry } from '../../kernel/registry.ts';
import type { Storage } from '../../storage/storage.ts';

const goodMsMax = 60_000;
/** A result that takes less time is not reused. */
const quickMs = 100;

interface Known<Result> {
  result: Promise<Result>;
  /** By the uptime of the machine. */
  beganAtMs: number;
  /** Infinite while it is made, so that no concurrent caller makes it too. */
  goodMs: number;
}

/**
 * Makes something about a whole registry that is at most a minute old. What is quick is made each time. What is slow is
 * reused for a hundred times as long as it took, so that it takes at most a hundredth of the time.
 */
export function reusedBriefly<Result>(make: (registry: Registry) => Promise<Result>) {
  const known = new WeakMap<Storage, Known<Result>>();
  return (registry: Registry): Promise<Result> => {
    const last = known.get(registry.storage);
    const ageMs = registry.machine.uptimeMs() - (last?.beganAtMs ?? 0);
    return last && ageMs < last.goodMs ? last.result : makeAgain(registry);
  };

  async function makeAgain(registry: Registry): Promise<Result> {
    const { storage, machine } = registry;
    const begun = { beganAtMs: machine.uptimeMs(), result: make(registry), goodMs: Number.POSITIVE_INFINITY };
    known.set(storage, begun);
    try {
      const result = await begun.result;
      const tookMs = machine.uptimeMs() - begun.beganAtMs;
      begun.goodMs = tookMs < quickMs ? 0 : Math.min(100 * tookMs, goodMsMax);
      return result;
    } catch (error) {
      known.delete(storage);
      throw error;
    }
  }
}

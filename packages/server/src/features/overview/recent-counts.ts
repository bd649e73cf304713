import { countRegistry, type RegistryCounts } from './count-registry.ts';
import { reusedBriefly } from './reused-briefly.ts';

/** The counts of the registry, at most a minute old. A small registry is counted each time. */
export const recentCounts = reusedBriefly<RegistryCounts>((registry) => countRegistry(registry));

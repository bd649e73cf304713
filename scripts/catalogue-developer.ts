import { encodeTypeId } from '../packages/server/src/kernel/ids.ts';
import { firstNames, lastNames } from './catalogue-words.ts';
import { SeededRandom } from './seeded-random.ts';

/** The time span of the catalogue. */
export const firstMs = Date.parse('2019-02-04T08:00:00.000Z');
export const lastMs = Date.parse('2026-06-30T18:00:00.000Z');

/** The developer with this number. It depends only on the number and the seed. */
export function makeDeveloper(seed: number, index: number) {
  const random = new SeededRandom(seed, 'developer', index);
  const createdMs = random.between(firstMs, lastMs - (lastMs - firstMs) / 8);
  const userId = encodeTypeId('user', random.uuid(createdMs));
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)];
  const record = {
    type: 'developer',
    userId,
    email: `${random.pick(['dev', 'apps', 'hello', 'team.publishing', 'ops+registry'])}.${index}@example.${random.pick(['com', 'org', 'net'])}`,
    ...(random.chance(0.85) && { firstName: first }),
    ...(random.chance(0.8) && { lastName: last }),
    createdAt: dateTime(createdMs),
    ...(random.chance(0.5) && { updatedAt: dateTime(random.between(createdMs, lastMs)) }),
  };
  return { record, userId, createdMs };
}

export function dateTime(ms: number): string {
  return new Date(ms).toISOString();
}

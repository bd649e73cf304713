import { encodeTypeId } from '../packages/server/src/kernel/ids.ts';
import { dateTime, lastMs, makeDeveloper } from './catalogue-developer.ts';
import type { CatalogueSize } from './catalogue-size.ts';
import { nameShapes, openings, products, qualities, rejectionReasons, sentences, subjects } from './catalogue-words.ts';
import { SeededRandom } from './seeded-random.ts';

const statuses = ['APPROVED', 'DRAFT', 'AWAITING_REVIEW', 'REJECTED'] as const;

/** The app with this number. It depends only on the number and the size. */
export function makeApp({ seed, developers }: CatalogueSize, index: number) {
  const random = new SeededRandom(seed, 'app', index);
  const developer = makeDeveloper(seed, random.between(0, developers - 1));
  const createdMs = random.between(developer.createdMs, lastMs);
  const id = encodeTypeId('app', random.uuid(createdMs));
  const reviewStatus = makeStatus(random, index);
  const record = {
    type: 'app',
    id,
    developerId: developer.userId,
    ...makeName(random, { seed, index }),
    createdAt: dateTime(createdMs),
    ...(random.chance(0.9) && { updatedAt: dateTime(random.between(createdMs, lastMs)) }),
    ...(reviewStatus !== 'DRAFT' && { reviewStatus }),
    ...makeRejection(random, reviewStatus),
    ...makeListing(random),
    ...makeOauth(random, id),
  };
  return { record, id, developerId: developer.userId, createdMs, reviewStatus };
}

function makeStatus(random: SeededRandom, index: number): (typeof statuses)[number] {
  // The first apps have one status each, so that the smallest catalogue contains all of them.
  const share = random.fraction();
  return (
    statuses[index] ??
    (share < 0.62 ? 'APPROVED' : share < 0.8 ? 'DRAFT' : share < 0.9 ? 'AWAITING_REVIEW' : 'REJECTED')
  );
}

/** The name of every number differs. */
function makeName(random: SeededRandom, { seed, index }: { seed: number; index: number }): { name: string } {
  const namesMax = qualities.length * subjects.length * products.length;
  const number = (seed * 104_729 + index * 7_919) % namesMax;
  const words = [
    qualities[number % qualities.length],
    subjects[Math.floor(number / qualities.length) % subjects.length],
    products[Math.floor(number / qualities.length / subjects.length)],
    ...(index < namesMax ? [] : [String(Math.floor(index / namesMax) + 1)]),
  ];
  const plain = words.join(random.pick([' ', ' ', ' ', '', '-']));
  return { name: random.chance(0.2) ? random.pick(nameShapes).replace('%', plain) : plain };
}

function makeRejection(random: SeededRandom, status: (typeof statuses)[number]): { rejectionReason?: string } {
  const probability = { APPROVED: 0, DRAFT: 0.2, AWAITING_REVIEW: 0.3, REJECTED: 1 }[status];
  return random.chance(probability) ? { rejectionReason: random.pick(rejectionReasons) } : {};
}

function makeListing(random: SeededRandom): object {
  if (random.chance(0.08)) return {};
  const listingInfo = {
    ...(random.chance(0.9) && { shortDescription: makeText(random, { lengthMax: shortLength(random), gap: ' ' }) }),
    ...(random.chance(0.75) && {
      longDescription: makeText(random, {
        lengthMax: Math.ceil(4000 * random.fraction() ** 2) + 40,
        gap: random.pick(['\n\n', ' ', '\n- ', '\r\n', '\n\t']),
      }),
    }),
    ...(random.chance(0.85) && { backgroundColor: makeColor(random) }),
  };
  return { listingInfo };
}

/** Nearly half of a real catalogue has more than 200 characters. */
function shortLength(random: SeededRandom): number {
  return random.chance(0.44) ? random.between(200, 500) : random.between(30, 200);
}

function makeText(random: SeededRandom, { lengthMax, gap }: { lengthMax: number; gap: string }): string {
  let text = random.pick(openings);
  while (text.length < lengthMax) text += gap + random.pick(sentences);
  // Cuts at code points, of which a text has at most 4,000.
  return [...text].slice(0, Math.min(lengthMax, 4000)).join('').trimEnd();
}

function makeColor(random: SeededRandom): string {
  const digits = random.chance(0.3) ? 3 : 6;
  const color = `#${random.bits32().toString(16).padStart(8, '0').slice(0, digits)}`;
  return random.chance(0.3) ? color.toUpperCase() : color;
}

function makeOauth(random: SeededRandom, id: string): object {
  if (random.chance(0.15)) return {};
  const local = random.chance(0.05);
  const base = local ? `http://localhost:${random.between(3000, 9000)}` : `https://${id.slice(-8)}.example`;
  const oauthInfo = {
    ...(random.chance(0.8) && { loginUrl: `${base}/login${random.chance(0.2) ? '?from=marketplace&lang=pt-BR' : ''}` }),
    ...(random.chance(0.9) && { callbackUrl: `${base}/oauth/callback` }),
  };
  return { oauthInfo };
}

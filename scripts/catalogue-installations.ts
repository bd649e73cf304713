import { encodeTypeId } from '../packages/server/src/kernel/ids.ts';
import { makeApp } from './catalogue-app.ts';
import { dateTime, firstMs, lastMs } from './catalogue-developer.ts';
import type { CatalogueSize } from './catalogue-size.ts';
import { SeededRandom } from './seeded-random.ts';

type App = ReturnType<typeof makeApp>;

const usersPerWorkspace = 8;

/** The installations by app, in order of creation. */
export function* makeInstallations(size: CatalogueSize): Generator<object> {
  if (size.installations === 0) return;
  const counts = shareOut(size);
  const countMax = counts.reduce((most, count) => Math.max(most, count), 0);
  const workspaces = 2 ** Math.ceil(Math.log2(Math.max(64, 1.5 * countMax)));
  for (const [index, count] of counts.entries()) {
    const random = new SeededRandom(size.seed, 'installations', index);
    const app = makeApp(size, index);
    // An odd step modulo a power of two visits each workspace once.
    const [start, step] = [random.bits32(), random.between(0, workspaces / 2) * 2 + 1];
    for (let at = 0; at < count; at += 1) {
      const workspace = (start + at * step) % workspaces;
      const createdMs =
        app.createdMs + Math.floor((lastMs - app.createdMs) * ((at + random.fraction()) / count) ** 0.6);
      yield makeInstallation(random, app, { seed: size.seed, workspace, createdMs });
    }
  }
}

function makeInstallation(
  random: SeededRandom,
  app: App,
  { seed, workspace, createdMs }: { seed: number; workspace: number; createdMs: number },
): object {
  const user = workspace * usersPerWorkspace + random.between(0, usersPerWorkspace - 1);
  const enabled = !random.chance(app.reviewStatus === 'REJECTED' ? 0.7 : 0.12);
  const id = encodeTypeId('installation', random.uuid(createdMs));
  return {
    type: 'installation',
    // Installations without an id get a new one.
    ...(!random.chance(0.02) && { id }),
    appId: app.id,
    workspaceId: platformId(seed, 'workspace', workspace),
    // Before its approval only the developer installs an app.
    userId: ['DRAFT', 'AWAITING_REVIEW'].includes(app.reviewStatus) ? app.developerId : platformId(seed, 'user', user),
    createdAt: dateTime(createdMs),
    ...((!enabled || random.chance(0.9)) && { enabled }),
  };
}

/** The number of installations of each app: thousands for a few, few for most, none for some. */
function shareOut(size: CatalogueSize): number[] {
  const apps = Array.from({ length: size.apps }, (_, index) => popularity(size, index));
  const total = apps.reduce((sum, weight) => sum + weight, 0);
  const counts = apps.map((weight) => Math.floor((size.installations * weight) / total));
  const rest = size.installations - counts.reduce((sum, count) => sum + count, 0);
  // The first app is approved, and gets the remainder of the rounding.
  return counts.map((count, index) => (index === 0 ? count + rest : count));
}

function popularity(size: CatalogueSize, index: number): number {
  const random = new SeededRandom(size.seed, 'popularity', index);
  const approved = makeApp(size, index).reviewStatus === 'APPROVED';
  if (index > 0 && random.chance(approved ? 0.1 : 0.6)) return 0;
  return approved ? Math.min(random.fraction() ** -1.4, 5_000) : 0.2;
}

function platformId(seed: number, kind: 'workspace' | 'user', index: number): string {
  const random = new SeededRandom(seed, kind, index);
  return encodeTypeId(kind, random.uuid(random.between(firstMs, lastMs)));
}

import type { Registry } from '../../kernel/registry.ts';
import { hostOf, readHost } from '../apps/review/warnings/hosts.ts';
import { findTexts, type Sought } from './find-texts.ts';
import type { SearchHit } from './search-result.ts';

/** Apps whose hosts are read, to find as many different hosts as are wanted: many apps may be at one. */
const appsMax = 200;

/** Hosts of apps that contain a text, those that start with it first, and of these the shortest. */
export async function findHosts(
  registry: Registry,
  { text, wanted }: Sought,
): Promise<Extract<SearchHit, { type: 'host' }>[]> {
  const part = (hostOf(text) ?? readHost(text))?.name ?? text.toLowerCase();
  if (/\s/.test(part)) return [];
  const found = await findTexts(registry, { column: 'hosts', words: [part], wanted: appsMax });
  const hosts = found.flatMap(({ text: hostsOfApp }) => hostsOfApp.trim().split(' '));
  const matching = [...new Set(hosts)].filter((host) => host.includes(part));
  return matching
    .toSorted((one, other) => one.indexOf(part) - other.indexOf(part) || one.length - other.length)
    .slice(0, wanted)
    .map((host) => ({ type: 'host', host }));
}

import { isTypeId } from '../../kernel/ids.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { ActorName } from '../events/event.ts';
import { listSignedIn, listTokenNames } from './access-queries.ts';
import type { IssuedTo } from './browser-sessions.ts';

/** Far more than the number of people who are signed in at one time. */
const signedInMax = 1_000;

/** The names of these actors: one entry for each that has a name. */
export async function actorNames(registry: Registry, actors: Iterable<string>): Promise<ActorName[]> {
  const names = await namesOfActors(registry, actors);
  return [...names].map(([actor, name]) => ({ actor, name }));
}

/** The same by actor, in at most one query per kind of actor. */
export async function namesOfActors(registry: Registry, actors: Iterable<string>): Promise<Map<string, string>> {
  const all = [...new Set(actors)];
  const [tokens, people] = await Promise.all([
    namesOfTokens(
      registry,
      all.filter((actor) => isTypeId(actor, 'token')),
    ),
    namesOfPeople(
      registry,
      all.filter((actor) => actor.startsWith(issuedPrefix)),
    ),
  ]);
  const names = all.map((actor) => [actor, tokens.get(actor) ?? people.get(actor) ?? nameInText(actor)] as const);
  return new Map(names.flatMap(([actor, name]) => (name === undefined ? [] : [[actor, name]])));
}

/** Of the holder of an identity provider's token. */
const issuedPrefix = 'oidc:';
const commandPrefix = 'command-line:';

/** The name that the text of an actor is, or contains. */
function nameInText(actor: string): string | undefined {
  if (actor === 'maintenance') return 'automatic maintenance';
  if (actor.startsWith(commandPrefix)) return actor.slice(commandPrefix.length);
  // A hash is not a name.
  if (actor.startsWith(`${issuedPrefix}sha256:`)) return undefined;
  return actor.startsWith(issuedPrefix) ? actor.slice(issuedPrefix.length) : undefined;
}

async function namesOfTokens({ storage }: Registry, ids: string[]): Promise<Map<string, string>> {
  const rows = await listTokenNames(storage.reader, ids);
  return new Map(
    rows.flatMap(({ id, name, first_name, last_name }) => {
      const known = name ?? ([first_name, last_name].filter((part) => part !== null).join(' ') || null);
      return known === null ? [] : [[id, known]];
    }),
  );
}

/** The identity provider sends the name of a person when they sign in. */
async function namesOfPeople({ storage, now }: Registry, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const signedIn = await listSignedIn(storage.reader, { now: now(), limit: signedInMax });
  const people = signedIn.map(({ holder }): IssuedTo => JSON.parse(holder));
  return new Map(people.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name]])));
}

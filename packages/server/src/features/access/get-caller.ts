import type { Registry } from '../../kernel/registry.ts';
import type { TokenScope } from './access-token.ts';
import { namesOfActors } from './actor-names.ts';
import type { Caller } from './session.ts';

/** The caller, as events name them, and what they may do. */
export async function getCaller(
  registry: Registry,
  { actor, scopes }: { actor: string; scopes: readonly TokenScope[] },
): Promise<Caller> {
  const actorName = (await namesOfActors(registry, [actor])).get(actor);
  return { actor, ...(actorName !== undefined && { actorName }), scopes: [...scopes] };
}

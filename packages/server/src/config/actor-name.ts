/**
 * A name for who runs commands, which follows `command-line:` in the actor of their events. Without `@` and `/`, it is
 * no email address, and no HOST/USER of a machine. It does not begin as the actors of tokens and of maintenance do.
 */
export function isActorName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) && !/^(?:token_|oidc|upkeep)/i.test(text);
}

/** Completes the sentence "The name …". */
export const actorNameRequirement =
  'must be 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit, and must not begin with token_, oidc or upkeep';

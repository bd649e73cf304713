/** How the actors of tokens and of maintenance begin. */
const reserved = ['token_', 'oidc', 'maintenance'];

/**
 * Whether a text can name who runs commands, after `command-line:` in the actor of their events. Without `@` and `/`, it is
 * no email address, and no HOST/USER of a system. It does not look like an actor of another kind.
 */
export function isActorName(text: string): boolean {
  const isReserved = reserved.some((prefix) => text.toLowerCase().startsWith(prefix));
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) && !isReserved;
}

/** Completes the sentence "The name …". */
export const actorNameRequirement = `must be 1 to 64 letters, digits, dots, underscores and hyphens, start with a letter or digit, and not start with ${reserved.join(', ')}`;

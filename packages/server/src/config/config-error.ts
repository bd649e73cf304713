/** The configuration is invalid; the message lists every error with its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

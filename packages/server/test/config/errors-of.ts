import assert from 'node:assert/strict';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/variable-reader.ts';

/** The errors that the configuration of an environment is refused with, without indentation. */
export function errorsOf(env: Record<string, string | undefined>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    const [first, ...lines] = error.message.split('\n');
    assert.equal(first, 'The configuration is invalid:');
    return lines.map((line) => line.trim());
  }
}

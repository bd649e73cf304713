import { compileCache } from '../programs/compile-cache.ts';
import { enginesVariable, sqlite } from './engines.ts';

/** Before the fast tests: a cache of compiled code, and no PostgreSQL. */
export function globalSetup(): void {
  Object.assign(process.env, compileCache, { [enginesVariable]: sqlite.name });
}

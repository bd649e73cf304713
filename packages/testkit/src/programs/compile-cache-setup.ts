import { compileCache } from './compile-cache.ts';

/** Before all tests of a package that needs nothing else. */
export function globalSetup(): void {
  Object.assign(process.env, compileCache);
}

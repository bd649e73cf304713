import { fileURLToPath } from 'node:url';

/**
 * Where Node keeps what it has compiled, for all processes of all runs: test files and the programs that they start
 * import the same modules again and again, and compiling them is half of what a start costs.
 */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url)),
};

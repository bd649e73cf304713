/**
 * The version of this package, which it sends to the registry with each request.
 *
 * @example
 * console.log(VERSION);
 */
export const VERSION = '0.1.0';

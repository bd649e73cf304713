export { type LogHooks, type LogTarget, logTo } from './log-to.ts';

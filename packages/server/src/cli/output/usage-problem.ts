import { commandProblemTitles } from '../command-problem.ts';

/** Whether a command line has the option `--json`, also one that cannot be parsed. */
export function isJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).includes('--json');
}

/** Problem details for wrong usage, from the error that Commander prints. */
export function usageProblem(text: string): string {
  const sentence = text.replace(/^error: /, '').replace(/\n(\(Did you mean .*\))$/, ' $1');
  const detail = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.!?)]$/.test(sentence) ? '' : '.'}`;
  const code = 'usage_invalid';
  return `${JSON.stringify({ type: 'about:blank', title: commandProblemTitles[code], detail, code })}\n`;
}

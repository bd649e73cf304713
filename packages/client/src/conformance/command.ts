import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { closingLineOf, documentOf, linesOf } from './report.ts';
import { ConformanceError, type ConformanceOptions, runConformance } from './run-conformance.ts';

export const help = `app-registry-client conformance --base-url URL --app ID [options]

Checks, from outside, whether a server keeps the guarantees of the app registry interface.

The command changes the app: its name, descriptions, colour and URLs, many times. It restores the content at the
end, also after a failed guarantee and an interruption; updatedAt has moved on. Use a test app that nothing else
changes: a DRAFT that is installed and has no logo, so that no guarantee is skipped.

  --base-url URL               the URL of the server, with its path if it has one
  --app ID                     the app to change; it belongs to the developer of the token
  --developer-token TOKEN      or DEVELOPER_TOKEN, or --developer-token-file FILE
  --platform-token TOKEN       or PLATFORM_TOKEN, or --platform-token-file FILE
  --other-developer-token TOKEN
                               of another developer; or OTHER_DEVELOPER_TOKEN, or
                               --other-developer-token-file FILE
  --other-app ID               another app, whose name is taken; it is only read
  --logo ID                    a logo of the developer, which an app without a logo gets temporarily
  --profile interface|full     interface: what every server must do (default)
                               full: also what this registry documents beyond that
  --only TEXT                  only guarantees whose name contains this; repeatable
  --json                       print one JSON document
  --help                       print this help

Guarantees that need an option which is not set are skipped. After a 429 the command waits. It never prints a token.
Exit codes: 0 no guarantee failed, 1 a guarantee failed, 2 the run could not start, was interrupted, or could not
restore the app.

Example:
  DEVELOPER_TOKEN=… PLATFORM_TOKEN=… npx @appregistrar/client conformance \\
    --base-url https://apps.example.com --app app_01jq3v9y6ae0xv5m6b7k8c9d0e --profile full
`;

const text = { type: 'string' } as const;
const options = {
  'base-url': text,
  app: text,
  'developer-token': text,
  'developer-token-file': text,
  'platform-token': text,
  'platform-token-file': text,
  'other-developer-token': text,
  'other-developer-token-file': text,
  'other-app': text,
  logo: text,
  profile: { ...text, default: 'interface' },
  only: { ...text, multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
type Environment = Readonly<Record<string, string | undefined>>;

export interface CommandContext {
  environment: Environment;
  signal: AbortSignal;
  /** Standard output, and standard error. */
  write: (text: string) => void;
  writeError: (text: string) => void;
}

/** Runs the command and returns its exit code. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<0 | 1 | 2> {
  let redact = (output: string) => output;
  try {
    const { values } = parseArgs({ args: [...args], options });
    if (values.help) {
      context.write(help);
      return 0;
    }
    const given = conformanceOptions(values, context.environment);
    redact = redactorOf(given);
    return await check(given, values.json ?? false, {
      ...context,
      write: (output) => context.write(redact(output)),
      writeError: (output) => context.writeError(redact(output)),
    });
  } catch (error) {
    context.writeError(`${redact(error instanceof Error ? error.message : String(error))}\n`);
    return 2;
  }
}

async function check(
  given: ConformanceOptions,
  json: boolean,
  { signal, write, writeError }: CommandContext,
): Promise<0 | 1 | 2> {
  const report = await runConformance({
    ...given,
    signal,
    onResult: (result) => json || write(`${linesOf(result)}\n`),
    onWait: (seconds) => writeError(`The quota of a token is used up. Continuing in ${seconds} s.\n`),
  });
  write(json ? `${JSON.stringify(documentOf(given, report), null, 2)}\n` : `\n${closingLineOf(report)}\n`);
  for (const failure of report.failures) writeError(`${failure}\n`);
  if (report.failures.length > 0) return 2;
  return report.results.some(({ outcome }) => outcome === 'fails') ? 1 : 0;
}

function conformanceOptions(values: Values, environment: Environment): ConformanceOptions {
  const { 'base-url': baseUrl, app: appId, profile, only = [] } = values;
  if (!baseUrl || !isBaseUrl(baseUrl)) {
    throw new ConformanceError('--base-url must be the http or https URL of the server.');
  }
  if (!appId) throw new ConformanceError('--app is missing. Set it to the app to change.');
  if (profile !== 'interface' && profile !== 'full') {
    throw new ConformanceError('--profile must be interface or full.');
  }
  const developerToken = tokenOf('developer', values, environment);
  const platformToken = tokenOf('platform', values, environment);
  if (!developerToken || !platformToken) {
    throw new ConformanceError('A developer token and a platform token are required. See --help.');
  }
  return {
    baseUrl,
    appId,
    developerToken,
    platformToken,
    otherDeveloperToken: tokenOf('other-developer', values, environment),
    otherAppId: values['other-app'],
    logoId: values.logo,
    profile,
    only,
  };
}

/** Without a query and user info, which a request for a path cannot have or would show. */
function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, pathname, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === origin + pathname;
}

function tokenOf(
  kind: 'developer' | 'platform' | 'other-developer',
  values: Values,
  environment: Environment,
): string | undefined {
  const file = values[`${kind}-token-file`];
  const token = values[`${kind}-token`] ?? (file && readFileSync(file, 'utf8').trim());
  return token || environment[variableOf(`${kind}-token`)] || undefined;
}

/** Replaces each token by the variable that holds it, so that a printed command can be run. */
function redactorOf({ otherDeveloperToken, developerToken, platformToken }: ConformanceOptions) {
  const variables = [
    ['OTHER_DEVELOPER_TOKEN', otherDeveloperToken],
    ['DEVELOPER_TOKEN', developerToken],
    ['PLATFORM_TOKEN', platformToken],
  ] as const;
  return (output: string): string =>
    variables.reduce(
      (redacted, [name, token]) => (token ? redacted.replaceAll(token, `\${${name}}`) : redacted),
      output,
    );
}

function variableOf(option: string): string {
  return option.replaceAll('-', '_').toUpperCase();
}

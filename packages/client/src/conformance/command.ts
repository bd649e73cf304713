import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { closingLineOf, documentOf, linesOf } from './report.ts';
import { ConformanceError, type ConformanceOptions, runConformance } from './run-conformance.ts';

export const help = `app-registry-client conformance --base-url URL --app ID [options]

Checks, from outside, whether a server keeps the promises of the app registry interface.

The app is changed: its name, descriptions, color and addresses, many times. At the end, and when a
promise fails or the run is interrupted, it gets back its content; its updatedAt has moved. Use an app
for tests that nothing else changes: a DRAFT that is installed and has no logo has all promises checked.

  --base-url URL               the address of the server, with its path if it has one
  --app ID                     the app that is changed; the developer token must be of its developer
  --developer-token TOKEN      or DEVELOPER_TOKEN, or --developer-token-file FILE
  --platform-token TOKEN       or PLATFORM_TOKEN, or --platform-token-file FILE
  --other-developer-token TOKEN
                               of another developer; or OTHER_DEVELOPER_TOKEN, or
                               --other-developer-token-file FILE
  --other-app ID               another app, which is only read: its name is taken
  --logo ID                    a logo of the developer, which an app without one gets for a while
  --profile interface|full     interface: what every server must do (the default)
                               full: also what this registry documents beyond that
  --only TEXT                  only promises whose name contains this; may be repeated
  --json                       one JSON document
  --help

A promise that needs what is not given is skipped. A 429 is waited for. No output contains a token.
Exit code: 0 all promises hold, 1 a promise fails, 2 the run could not begin or end as it must.

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
    onWait: (seconds) => writeError(`The quota of a token is used up: the run goes on in ${seconds} s.\n`),
  });
  write(json ? `${JSON.stringify(documentOf(given, report), null, 2)}\n` : `\n${closingLineOf(report)}\n`);
  for (const failure of report.failures) writeError(`${failure}\n`);
  if (report.failures.length > 0) return 2;
  return report.results.some(({ outcome }) => outcome === 'fails') ? 1 : 0;
}

function conformanceOptions(values: Values, environment: Environment): ConformanceOptions {
  const { 'base-url': baseUrl, app: appId, profile, only = [] } = values;
  if (!baseUrl || !isBaseUrl(baseUrl)) {
    throw new ConformanceError('--base-url must be the http or https address of the server.');
  }
  if (!appId) throw new ConformanceError('--app is missing: name the app that may be changed.');
  if (profile !== 'interface' && profile !== 'full') {
    throw new ConformanceError('--profile must be interface or full.');
  }
  const developerToken = tokenOf('developer', values, environment);
  const platformToken = tokenOf('platform', values, environment);
  if (!developerToken || !platformToken) {
    throw new ConformanceError('A developer token and a platform token are needed: see --help.');
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

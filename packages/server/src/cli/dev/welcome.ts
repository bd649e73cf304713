import { formatAddress } from '../../config/address.ts';
import type { Config } from '../../config/config.ts';
import { environment } from '../../config/env.ts';
import type { DemoData } from './demo-data.ts';

/** Where npm started this, the command need not be on the path of the user's shell. */
const command = environment.npm_execpath ? 'npx @appregistrar/server' : 'app-registry';

/** The message of the development server once it serves: tokens, apps, and commands to paste. */
export function welcome(
  config: Config,
  { apps, developerToken, platformToken, operatorToken, signInCode }: DemoData,
): string {
  const { baseUrl, databaseUrl } = config;
  const operator = `http://${formatAddress(config.operatorAddress)}`;
  const first = apps[0]?.id;
  const width = Math.max(...apps.map(({ name }) => name.length));
  return `
  app-registry        ${baseUrl}
  console             ${config.operatorBaseUrl}/#code=${signInCode} (single-use sign-in link)
  operator API        ${operator}/docs

  developer token     ${developerToken}
  platform token      ${platformToken}
  operator token      ${operatorToken}

${apps.map(({ id, name, reviewStatus }) => `  ${name.padEnd(width)}  ${id}  ${reviewStatus}`).join('\n')}

  Update an app as its developer:
curl -i -X PATCH '${baseUrl}/developer/apps/v1/${first}' -H 'Authorization: Bearer ${developerToken}' -H 'Content-Type: application/json' -d '{"listingInfo":{"shortDescription":"Invoices and ledgers, in step."}}'

  Get it as the platform:
curl -i '${baseUrl}/platform/apps/v1/${first}' -H 'Authorization: Bearer ${platformToken}'

  List what awaits review, as an operator:
curl -i '${operator}/operator/v1/apps?status=AWAITING_REVIEW' -H 'Authorization: Bearer ${operatorToken}'

  Use the command line with this database (deleted on exit):
export DATABASE_URL=${databaseUrl} BASE_URL=${baseUrl} WEBHOOK_ALLOW_PRIVATE=1
${command} app get ${first}

  Forward its events to a webhook receiver on this machine:
${command} webhook listen --forward-to http://localhost:3000/webhooks

`;
}

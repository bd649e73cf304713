import { showApp } from '../../registry/apps/show-app.ts';
import { commandLine, type Registry } from '../../registry/registry.ts';
import { newSignInCode } from '../../registry/sessions/open-session.ts';
import { issueToken } from '../../registry/tokens/issue-token.ts';
import { liveDemoHistory } from './demo-history.ts';

export interface DemoData {
  developerToken: string;
  platformToken: string;
  /** With every scope. */
  operatorToken: string;
  /** Signs in to the console with that token, once. */
  signInCode: string;
  /** The apps of the developer whose token this is. */
  apps: { id: string; name: string; reviewStatus: string }[];
}

/** Fills an empty registry with developers, apps in every review state, six weeks of their history, and tokens. */
export async function createDemoData(registry: Registry): Promise<DemoData> {
  const lived = await liveDemoHistory(registry);
  const developerId = lived[0]?.developerId;
  const own = lived.filter((app) => app.developerId === developerId);
  const apps = await Promise.all(own.map(({ id }) => showApp(registry, id)));
  const issue = (given: object) => issueToken(registry, commandLine, given);
  const operator = await issue({ kind: 'operator', scopes: ['admin'], name: 'demo operator' });
  const code = await newSignInCode(registry, operator.id);
  return {
    developerToken: (await issue({ kind: 'developer', developerId, name: 'demo developer' })).token,
    platformToken: (await issue({ kind: 'platform', name: 'demo platform' })).token,
    operatorToken: operator.token,
    signInCode: code?.text ?? '',
    apps: apps.map(({ id, name, reviewStatus }) => ({ id, name, reviewStatus })),
  };
}

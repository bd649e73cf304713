import { issueToken } from '../../features/access/issue-token.ts';
import { newSignInCode } from '../../features/access/open-session.ts';
import { getAppAsOperator } from '../../features/apps/operator-apps.ts';
import { runOperation } from '../../kernel/operation.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { createDemoHistory } from './demo-history.ts';

export interface DemoData {
  developerToken: string;
  platformToken: string;
  /** Has every scope. */
  operatorToken: string;
  /** Signs in to the console with the operator token, once. */
  signInCode: string;
  /** The apps of the developer that `developerToken` belongs to. */
  apps: { id: string; name: string; reviewStatus: string }[];
}

/** Fills an empty registry with developers, apps in every review state, six weeks of their history, and tokens. */
export async function createDemoData(registry: Registry): Promise<DemoData> {
  const all = await createDemoHistory(registry);
  const developerId = all[0]?.developerId;
  const own = all.filter((app) => app.developerId === developerId);
  const apps = await Promise.all(
    own.map(({ id }) => runOperation(getAppAsOperator, registry, { caller: commandLine, params: { id } })),
  );
  const issue = (token: object) => issueToken(registry, commandLine, token);
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

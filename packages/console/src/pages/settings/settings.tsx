import type { Settings } from '@appregistrar/client/operator';
import { operator } from '../../operator.ts';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useHasScope } from '../../scopes.ts';
import { useRequest } from '../../use-request.ts';
import { ProtectedNames } from './protected-names.tsx';
import { choicesOf, settingTitles } from './setting-texts.ts';
import { SettingsForm } from './settings-form.tsx';
import { Templates } from './templates.tsx';

/** The tabs of the page, by the parts of their addresses. */
const tabs = {
  general: { path: ['settings'], name: 'General' },
  'reason-templates': { path: ['settings', 'reason-templates'], name: 'Reason templates' },
  'protected-names': { path: ['settings', 'protected-names'], name: 'Protected names' },
};
export type SettingsTab = keyof typeof tabs;

/** The tab of an address, by default the first; undefined where there is none of this name. */
export function settingsTab(name = 'general'): SettingsTab | undefined {
  return name in tabs ? (name as SettingsTab) : undefined;
}

const contents = { general: General, 'reason-templates': Templates, 'protected-names': ProtectedNames };

/** What applies to the whole registry, in tabs. */
export function SettingsPage({ tab, query }: { tab: SettingsTab; query: URLSearchParams }) {
  const Content = contents[tab];
  return (
    <Page title="Settings">
      <Tabs of="the settings" tabs={tabs} current={tab} />
      <Content key={tab} query={query} />
    </Page>
  );
}

/** The settings that all processes share. */
function General() {
  const { data, error, reload } = useRequest(read, []);
  const canChange = useHasScope('admin');
  return (
    <>
      <p>A change applies to every process of the registry immediately, and is recorded as an event.</p>
      {error && <RequestError error={error} retry={reload} />}
      {data && (canChange ? <SettingsForm {...data} reload={reload} /> : <SettingsList {...data.settings} />)}
    </>
  );
}

async function read(signal: AbortSignal): Promise<{ settings: Settings; hasUndecided: boolean }> {
  const [settings, { items }] = await Promise.all([
    operator.settings.get({ signal }),
    operator.apps.list({ status: ['APPROVED'], changedSinceApproval: true, limit: 1 }, { signal }).page(),
  ]);
  return { settings, hasUndecided: items.length > 0 };
}

function SettingsList({ uniqueNames, changesToApproved }: Settings) {
  return (
    <dl class="facts">
      <dt>{settingTitles.uniqueNames}</dt>
      <dd>{choicesOf.uniqueNames[`${uniqueNames}`]}</dd>
      <dt>{settingTitles.changesToApproved}</dt>
      <dd>{choicesOf.changesToApproved[changesToApproved]}</dd>
    </dl>
  );
}

import type { Settings } from '@appregistrar/client/operator';
import { operator } from '../../operator.ts';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { useHasScope } from '../../scopes.ts';
import { useRequest } from '../../use-request.ts';
import { choicesOf, settingTitles } from './setting-texts.ts';
import { SettingsForm } from './settings-form.tsx';

/** The settings that all processes share. */
export function SettingsPage() {
  const { data, error, reload } = useRequest(read, []);
  const canChange = useHasScope('admin');
  return (
    <Page title="Settings">
      <p>A change applies to every process of the registry at once, and is recorded as an event.</p>
      {error && <RequestError error={error} retry={reload} />}
      {data && (canChange ? <SettingsForm {...data} reload={reload} /> : <SettingsList {...data.settings} />)}
    </Page>
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

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
  const { data: settings, error, reload } = useRequest((signal) => operator.settings.get({ signal }), []);
  const canChange = useHasScope('admin');
  return (
    <Page title="Settings">
      <p>A change applies to every process of the registry at once, and is recorded as an event.</p>
      {error && <RequestError error={error} retry={reload} />}
      {settings && (canChange ? <SettingsForm settings={settings} reload={reload} /> : <SettingsList {...settings} />)}
    </Page>
  );
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

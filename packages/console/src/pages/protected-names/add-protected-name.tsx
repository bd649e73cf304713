import type { NewProtectedName } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { createOnce } from '../../create-once.ts';
import { operator } from '../../operator.ts';
import { ChoiceField, TextArea, TextField } from '../../parts/form/fields.tsx';
import { Form, type FormValues } from '../../parts/form/form.tsx';
import { useHasScope } from '../../scopes.ts';

const kinds = [
  { value: 'name', label: 'A name: its words are protected anywhere in an app name' },
  { value: 'host', label: 'A host: URLs at it and its subdomains are protected' },
] as const;
type Kind = (typeof kinds)[number]['value'];

/** Protects a name or a host. */
export function AddProtectedName({ done }: { done: (message: string) => void }) {
  const [kind, setKind] = useState<Kind>('name');
  const [addedCount, setAddedCount] = useState(0);
  if (!useHasScope('admin')) return null;
  const pointer = `/${kind}`;
  const send = async (values: FormValues) => {
    const name = newProtectedName(kind, values);
    await createOnce(['protected name', name], (options) => operator.protectedNames.create(name, options));
    setAddedCount(addedCount + 1);
    done(`${values.text(pointer)} is protected.`);
  };
  return (
    <details class="issue">
      <summary>Protect a name or a host</summary>
      <Form
        key={addedCount}
        label="Protect a name or a host"
        submitLabel="Protect"
        send={send}
        fieldOf={{ already_exists: pointer, developer_not_found: '/developerIds' }}
      >
        <ChoiceField
          name="kind"
          label="Protect"
          type="radio"
          choices={kinds}
          chosen={[kind]}
          onChoose={(chosen) => setKind(chosen as Kind)}
        />
        <TextField
          key={kind}
          name={pointer}
          label={kind === 'name' ? 'Name' : 'Host'}
          required
          maxLength={kind === 'name' ? 100 : 255}
          dir="auto"
          autocomplete="off"
        />
        <TextArea
          name="/developerIds"
          label="Who may use it"
          hint="Developer user ids, one per line. Leave empty to allow no one."
          rows={3}
          dir="ltr"
          spellcheck={false}
        />
        <TextField name="/note" label="Note for reviewers" hint="Shown with the warning." maxLength={500} dir="auto" />
      </Form>
    </details>
  );
}

function newProtectedName(kind: Kind, { text }: FormValues): NewProtectedName {
  const developerIds = text('/developerIds').split(/\s+/).filter(Boolean);
  const note = text('/note');
  return {
    [kind]: text(`/${kind}`),
    ...(developerIds.length > 0 && { developerIds }),
    ...(note && { note }),
  };
}

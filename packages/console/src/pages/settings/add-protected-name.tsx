import { useState } from 'preact/hooks';
import { createOnce } from '../../create-once.ts';
import { operator } from '../../operator.ts';
import { ChoiceField } from '../../parts/form/fields.tsx';
import { Form, type FormValues } from '../../parts/form/form.tsx';
import { useHasScope } from '../../scopes.ts';
import { type Kind, newProtectedName, ProtectedNameFields } from './protected-name-fields.tsx';

const kinds = [
  { value: 'name', label: 'A name: its words are protected anywhere in an app name' },
  { value: 'host', label: 'A host: URLs at it and its subdomains are protected' },
] as const;

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
        <ProtectedNameFields kind={kind} />
      </Form>
    </details>
  );
}

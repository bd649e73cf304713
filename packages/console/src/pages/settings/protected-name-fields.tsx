import type { NewProtectedName, ProtectedName, ProtectedNameUpdate } from '@appregistrar/client/operator';
import { TextArea, TextField } from '../../parts/form/fields.tsx';
import type { FormValues } from '../../parts/form/form.tsx';

export type Kind = 'name' | 'host';

interface FieldsProps {
  kind: Kind;
  protectedName?: ProtectedName;
}

/** What is protected, and who may use it nevertheless. */
export function ProtectedNameFields({ kind, protectedName }: FieldsProps) {
  return (
    <>
      <TextField
        key={kind}
        name={`/${kind}`}
        label={kind === 'name' ? 'Name' : 'Host'}
        required
        maxLength={kind === 'name' ? 100 : 255}
        dir="auto"
        autocomplete="off"
        defaultValue={protectedName?.[kind]}
      />
      <TextArea
        name="/developerIds"
        label="Who may use it"
        hint="Developer user ids, one per line. Leave empty to allow no one."
        rows={3}
        dir="ltr"
        spellcheck={false}
        defaultValue={protectedName?.developerIds.join('\n')}
      />
      <TextField
        name="/note"
        label="Note for reviewers"
        hint="Shown with the warning."
        maxLength={500}
        dir="auto"
        defaultValue={protectedName?.note}
      />
    </>
  );
}

export function newProtectedName(kind: Kind, values: FormValues): NewProtectedName {
  const developerIds = developerIdsIn(values);
  const note = values.text('/note');
  return {
    [kind]: values.text(`/${kind}`),
    ...(developerIds.length > 0 && { developerIds }),
    ...(note && { note }),
  };
}

/** Only what was edited. */
export function protectedNameUpdate(
  kind: Kind,
  { [kind]: value, developerIds, note = '' }: ProtectedName,
  values: FormValues,
): ProtectedNameUpdate {
  const [newValue, newIds, newNote] = [values.text(`/${kind}`), developerIdsIn(values), values.text('/note')];
  return {
    ...(newValue !== value && { [kind]: newValue }),
    ...(String(newIds) !== String(developerIds) && { developerIds: newIds }),
    ...(newNote !== note && { note: newNote || null }),
  };
}

function developerIdsIn({ text }: FormValues): string[] {
  return text('/developerIds').split(/\s+/).filter(Boolean);
}

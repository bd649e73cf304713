import { hrefOf } from '../route.ts';
import { TextField } from './form/fields.tsx';
import { Form } from './form/form.tsx';

/** Opens the page of an object by its id. */
export function LookUp({ section, label }: { section: string; label: string }) {
  return (
    <Form
      submitLabel="Open"
      send={async ({ text }) => {
        location.hash = hrefOf([section, text('/id')]);
      }}
    >
      <TextField name="/id" label={label} required maxLength={100} autocomplete="off" spellcheck={false} />
    </Form>
  );
}

import type { AppUpdate } from '@appregistrar/client';
import type { OperatorApp } from '@appregistrar/client/operator';
import { useRef, useState } from 'preact/hooks';
import {
  type AppContentField,
  appContentFields,
  contentUnderPaths,
  isOptional,
} from '../../../../server/src/features/apps/app-content.ts';
import { compareContent } from '../../evidence/comparison.ts';
import { pointerOf } from '../../evidence/field-mark.tsx';
import { operator } from '../../operator.ts';
import { TextArea, TextField } from '../../parts/form/fields.tsx';
import { Form, type FormValues } from '../../parts/form/form.tsx';
import { useHasScope } from '../../scopes.ts';
import { useEdit } from '../../use-edit.ts';

/** Changes the content of an app for its developer, by the same rules. */
export function EditContent({ app, onChange }: { app: OperatorApp; onChange: () => void }) {
  const summary = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { begin, save } = useEdit(app, onChange);
  if (!useHasScope('portal')) return null;
  if (app.reviewStatus === 'AWAITING_REVIEW') {
    return <p class="faint">The app awaits review: withdraw it to edit its content.</p>;
  }
  const close = () => {
    summary.current?.focus();
    setOpen(false);
  };
  const send = async (values: FormValues) => {
    await save((opened, ifMatch) => operator.apps.update(opened.id, changesOf(opened, values), { ifMatch }));
    close();
    onChange();
  };
  const toggle = (isNowOpen: boolean) => {
    if (isNowOpen) begin();
    setOpen(isNowOpen);
  };
  return (
    <details class="issue" open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
      <summary ref={summary}>Edit the content</summary>
      {isOpen && (
        <Form label="Edit the content" submitLabel="Save" send={send} cancel={close} fieldOf={{ name_taken: '/name' }}>
          {appContentFields.map((field) => (
            <ContentField key={field.path} field={field} value={currentValue(app, field)} />
          ))}
        </Form>
      )}
    </details>
  );
}

function ContentField({ field, value }: { field: AppContentField; value: string }) {
  const { path, kind, label, help } = field;
  const common = { name: pointerOf(path), label, hint: `${help}${isOptional(field) ? '; optional' : ''}` };
  if (kind === 'lines') return <TextArea {...common} rows={8} defaultValue={value} />;
  return <TextField {...common} dir="auto" required={!isOptional(field)} defaultValue={value} autocomplete="off" />;
}

/** Only what was edited. A field that was emptied is cleared. */
function changesOf(app: OperatorApp, { text }: FormValues): AppUpdate {
  return contentUnderPaths<null>((field) => {
    const value = text(pointerOf(field.path));
    if (value === currentValue(app, field).trim()) return undefined;
    return value === '' && isOptional(field) ? null : value;
  }) as AppUpdate;
}

function currentValue(app: OperatorApp, { path }: AppContentField): string {
  return compareContent(app, undefined).find((field) => field.path === path)?.now ?? '';
}

import { useState } from 'preact/hooks';
import { createOnce } from '../../create-once.ts';
import { operator } from '../../operator.ts';
import { Form, type FormValues } from '../../parts/form/form.tsx';
import { useHasScope } from '../../scopes.ts';
import { newTemplate, TemplateFields } from './template-fields.tsx';

/** Adds a template of reasons. */
export function AddTemplate({ done }: { done: (message: string) => void }) {
  const [addedCount, setAddedCount] = useState(0);
  if (!useHasScope('review')) return null;
  const send = async (values: FormValues) => {
    const template = newTemplate(values);
    await createOnce(['template', template], (options) => operator.reasonTemplates.create(template, options));
    setAddedCount(addedCount + 1);
    done(`Added “${template.title}”.`);
  };
  return (
    <details class="issue">
      <summary>Add a template</summary>
      <Form key={addedCount} label="Add a template" submitLabel="Add" send={send}>
        <TemplateFields />
      </Form>
    </details>
  );
}

import type { NewReasonTemplate, ReasonTemplate, ReasonTemplateUpdate } from '@appregistrar/client/operator';
import { TextArea, TextField } from '../../parts/form/fields.tsx';
import type { FormValues } from '../../parts/form/form.tsx';

/** What a template consists of. */
export function TemplateFields({ template }: { template?: ReasonTemplate }) {
  return (
    <>
      <TextField
        name="/title"
        label="Title"
        hint="Shown to reviewers in the list of templates."
        required
        maxLength={100}
        dir="auto"
        autocomplete="off"
        defaultValue={template?.title}
      />
      <TextArea
        name="/message"
        label="Text for the developer"
        required
        maxLength={2_000}
        defaultValue={template?.message}
      />
      <TextField
        name="/code"
        label="Code"
        hint="Machine-readable: broken_address, impersonation, incomplete, misleading, other, spam, or one of your own. Optional."
        maxLength={50}
        autocomplete="off"
        spellcheck={false}
        defaultValue={template?.code}
      />
    </>
  );
}

export function newTemplate({ text }: FormValues): NewReasonTemplate {
  const code = text('/code');
  return { title: text('/title'), message: text('/message'), ...(code && { code }) };
}

/** Only what was edited. */
export function templateUpdate(template: ReasonTemplate, { text }: FormValues): ReasonTemplateUpdate {
  const [title, message, code] = [text('/title'), text('/message'), text('/code')];
  return {
    ...(title !== template.title && { title }),
    ...(message !== template.message && { message }),
    ...(code !== (template.code ?? '') && { code: code || null }),
  };
}

import type { ReasonTemplate } from '@appregistrar/client/operator';
import { MessageSquareText } from 'lucide';
import { useState } from 'preact/hooks';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { DialogForm } from '../../parts/form/dialog-form.tsx';
import { Pager, pageSize } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';
import { useEdit } from '../../use-edit.ts';
import { useRequest } from '../../use-request.ts';
import { AddTemplate } from './add-template.tsx';
import { TemplateFields, templateUpdate } from './template-fields.tsx';

/** The texts that reviewers begin a reason with, with forms to add, edit and delete them. */
export function Templates({ query }: { query: URLSearchParams }) {
  const cursor = query.get('cursor') ?? undefined;
  const [message, setMessage] = useState('');
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.reasonTemplates.list({ cursor, limit: pageSize }, { signal }).page(),
    [cursor],
    { follows: ofTypes('reason_template.') },
  );
  const canEdit = useHasScope('review');
  const done = (text: string) => {
    setMessage(text);
    reload();
  };
  return (
    <>
      <p>Starting texts for decision reasons. Reviewers can edit a text before they send it.</p>
      <AddTemplate done={done} />
      <p role="status">{message}</p>
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        {data?.items.length === 0 && (
          <Empty icon={MessageSquareText} text="No templates yet.">
            {canEdit && <p>Add one for a reason that you give often.</p>}
          </Empty>
        )}
        {data && data.items.length > 0 && (
          <TemplateTable templates={data.items} canEdit={canEdit} done={done} reload={reload} />
        )}
        {data && (
          <Pager
            page={data}
            of="the templates"
            hrefAt={(at) => hrefOf(['settings', 'reason-templates'], { cursor: at })}
          />
        )}
      </div>
    </>
  );
}

interface TableProps {
  templates: ReasonTemplate[];
  canEdit: boolean;
  done: (message: string) => void;
  reload: () => void;
}

function TemplateTable({ templates, ...rest }: TableProps) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Template</th>
          <th scope="col">Text for the developer</th>
          <th scope="col">Code</th>
          {rest.canEdit && (
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {templates.map((template) => (
          <TemplateRow key={template.id} template={template} {...rest} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  template: ReasonTemplate;
  done: (message: string) => void;
  reload: () => void;
}

function TemplateRow({ canEdit, ...rest }: RowProps & { canEdit: boolean }) {
  const { title, message, code } = rest.template;
  return (
    <tr>
      <th scope="row">
        <strong dir="auto">{title}</strong>
      </th>
      <td data-label="Text for the developer">
        <span class="value" dir="auto">
          {message}
        </span>
      </td>
      <td data-label="Code">{code === undefined ? <span class="faint">None</span> : <code>{code}</code>}</td>
      {canEdit && (
        <td class="actions">
          <TemplateSteps {...rest} />
        </td>
      )}
    </tr>
  );
}

function TemplateSteps({ template, done, reload }: RowProps) {
  const { id, title } = template;
  const { isPending, error, run } = useAction();
  const { begin, save } = useEdit(template, reload);
  const remove = () =>
    run(async () => {
      await operator.reasonTemplates.delete(id);
      done(`Deleted “${title}”.`);
    });
  return (
    <>
      <span class="choices">
        <DialogForm
          label="Edit"
          subject={title}
          submitLabel="Save"
          onOpen={begin}
          send={async (values) => {
            await save((opened, ifMatch) =>
              operator.reasonTemplates.update(id, templateUpdate(opened, values), { ifMatch }),
            );
            done(`Saved “${values.text('/title')}”.`);
          }}
        >
          <TemplateFields template={template} />
        </DialogForm>
        <ConfirmedButton
          label="Delete"
          subject={title}
          confirmLabel="Delete permanently"
          disabled={isPending}
          onConfirm={remove}
        >
          <p>Reasons that were already sent stay as they are.</p>
        </ConfirmedButton>
      </span>
      {error && <RequestError error={error} />}
    </>
  );
}

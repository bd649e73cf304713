import type { ProtectedName } from '@appregistrar/client/operator';
import { ShieldCheck } from 'lucide';
import { useState } from 'preact/hooks';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { DeveloperLink } from '../../parts/developer-name.tsx';
import { Empty } from '../../parts/empty.tsx';
import { DialogForm } from '../../parts/form/dialog-form.tsx';
import { Pager, pageSize } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';
import { useEdit } from '../../use-edit.ts';
import { useRequest } from '../../use-request.ts';
import { AddProtectedName } from './add-protected-name.tsx';
import { ProtectedNameFields, protectedNameUpdate } from './protected-name-fields.tsx';

/** The names and hosts that only some developers may use, with forms to add, edit and remove them. */
export function ProtectedNames({ query }: { query: URLSearchParams }) {
  const cursor = query.get('cursor') ?? undefined;
  const [message, setMessage] = useState('');
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.protectedNames.list({ cursor, limit: pageSize }, { signal }).page(),
    [cursor],
    { follows: ofTypes('protected_name.') },
  );
  const done = (text: string) => {
    setMessage(text);
    reload();
  };
  return (
    <>
      <p>
        Reviewers see a warning when another developer’s app uses one of these names or hosts, or a lookalike. Nothing
        is refused.
      </p>
      <AddProtectedName done={done} />
      <p role="status">{message}</p>
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <Empty icon={ShieldCheck} text="No name or host is protected yet." />}
        {data && data.items.length > 0 && <ProtectedNameTable names={data.items} done={done} reload={reload} />}
        {data && (
          <Pager
            page={data}
            of="the protected names"
            hrefAt={(at) => hrefOf(['settings', 'protected-names'], { cursor: at })}
          />
        )}
      </div>
    </>
  );
}

interface TableProps {
  names: ProtectedName[];
  done: (message: string) => void;
  reload: () => void;
}

function ProtectedNameTable({ names, ...rest }: TableProps) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Name or host</th>
          <th scope="col">Who may use it</th>
          <th scope="col">Note</th>
          <th scope="col">Added</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <ProtectedNameRow key={name.id} protectedName={name} {...rest} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Omit<TableProps, 'names'> {
  protectedName: ProtectedName;
}

function ProtectedNameRow({ protectedName, done, reload }: RowProps) {
  const { name, developerIds, note, createdAt } = protectedName;
  const canChange = useHasScope('admin');
  return (
    <tr>
      <th scope="row">
        <strong dir="auto">{textOf(protectedName)}</strong>{' '}
        <span class="badge">{name === undefined ? 'Host' : 'Name'}</span>
      </th>
      <td data-label="Who may use it">
        {developerIds.length === 0 && <span class="faint">No one</span>}
        <span class="choices">
          {developerIds.map((userId) => (
            <DeveloperLink key={userId} userId={userId} />
          ))}
        </span>
      </td>
      <td data-label="Note">{note ? <bdi>{note}</bdi> : <span class="faint">None</span>}</td>
      <td data-label="Added">
        <DateTime at={createdAt} />{' '}
        {canChange && <ProtectedNameSteps protectedName={protectedName} done={done} reload={reload} />}
      </td>
    </tr>
  );
}

function ProtectedNameSteps({ protectedName, done, reload }: RowProps) {
  const { isPending, error, run } = useAction();
  const { begin, save } = useEdit(protectedName, reload);
  const { id } = protectedName;
  const text = textOf(protectedName);
  const kind = protectedName.name === undefined ? 'host' : 'name';
  const remove = () =>
    run(async () => {
      await operator.protectedNames.delete(id);
      done(`${text} is no longer protected.`);
    });
  return (
    <>
      <DialogForm
        label="Edit"
        subject={text}
        submitLabel="Save"
        onOpen={begin}
        send={async (values) => {
          await save((opened, ifMatch) =>
            operator.protectedNames.update(id, protectedNameUpdate(kind, opened, values), { ifMatch }),
          );
          done(`Saved ${values.text(`/${kind}`)}.`);
        }}
        fieldOf={{ already_exists: `/${kind}`, developer_not_found: '/developerIds' }}
      >
        <ProtectedNameFields kind={kind} protectedName={protectedName} />
      </DialogForm>{' '}
      <ConfirmedButton
        label="Remove"
        subject={text}
        confirmLabel="Stop protecting it"
        disabled={isPending}
        onConfirm={remove}
      >
        <p>Reviewers are no longer warned when other developers use it.</p>
      </ConfirmedButton>
      {error && <RequestError error={error} />}
    </>
  );
}

function textOf({ id, name, host }: ProtectedName): string {
  return name ?? host ?? id;
}

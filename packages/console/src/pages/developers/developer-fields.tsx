import type { OperatorDeveloper } from '@appregistrar/client/operator';
import { TextField } from '../../parts/form/fields.tsx';

/** What can be entered about a developer. */
export function DeveloperFields({ developer }: { developer?: OperatorDeveloper }) {
  return (
    <>
      <TextField
        name="/email"
        label="Email address"
        inputMode="email"
        autocomplete="off"
        required
        maxLength={254}
        defaultValue={developer?.email}
      />
      <TextField
        name="/firstName"
        label="First name"
        hint="Optional."
        autocomplete="off"
        maxLength={100}
        dir="auto"
        defaultValue={developer?.firstName}
      />
      <TextField
        name="/lastName"
        label="Last name"
        hint="Optional."
        autocomplete="off"
        maxLength={100}
        dir="auto"
        defaultValue={developer?.lastName}
      />
    </>
  );
}

import { TextField } from './fields.tsx';

/** Requires typing a text, so that no one does by mistake what cannot be undone. */
export function ConfirmationField({ text }: { text: string }) {
  return (
    <TextField
      name="/confirmation"
      label={`Type ${text} to confirm`}
      required
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => {
        currentTarget.setCustomValidity(currentTarget.value.trim() === text ? '' : `Type ${text} to confirm.`);
      }}
    />
  );
}

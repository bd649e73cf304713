/** The value of a text option in an update: null, to clear the field, for `--no-…` and for an empty text. */
export function clearable(value: string | false | undefined): string | null | undefined {
  return value === false || value === '' ? null : value;
}

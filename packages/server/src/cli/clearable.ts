/** An option that takes text, where `--no-…` and an empty text both remove: what an update says of it. */
export function clearable(value: string | false | undefined): string | null | undefined {
  return value === false || value === '' ? null : value;
}

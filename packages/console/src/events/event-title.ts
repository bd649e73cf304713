/** "App change rejected" for `app.change_rejected`. Works for unknown types too. */
export function eventTitle(type: string): string {
  const words = type.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

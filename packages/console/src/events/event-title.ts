/** "App change rejected" for `app.change_rejected`. Works for unknown types too. */
export function eventTitle(type: string): string {
  if (type === 'app.effective_changed') return 'Effective content changed';
  const words = type.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

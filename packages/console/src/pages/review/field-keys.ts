/** The fields that are shown and can be commented on, in their order. */
function shownFields(): HTMLElement[] {
  const comments = document.querySelectorAll<HTMLElement>('.review-app [data-comment]');
  return [...comments].filter((comment) => comment.checkVisibility()).map(fieldAround);
}

/** Moves the focus to the field after the one that has it, or before it. The first one follows the last. */
export function focusField(by: 1 | -1): void {
  const fields = shownFields();
  const at = fields.findIndex((field) => field.contains(document.activeElement));
  const from = at < 0 && by < 0 ? 0 : at;
  focus(fields[(from + by + fields.length) % fields.length]);
}

/** Opens the comment on the field that has the focus, or else on the first one, which is what has changed most. */
export function commentOnField(): void {
  const fields = shownFields();
  const field = fields.find((one) => one.contains(document.activeElement)) ?? fields[0];
  field?.querySelector<HTMLElement>('textarea[data-comment]')?.focus();
  field?.querySelector<HTMLElement>('button[data-comment]')?.click();
}

/** From a comment back to its field. */
export function leaveComment(comment: HTMLElement): void {
  focus(fieldAround(comment));
}

function fieldAround(comment: HTMLElement): HTMLElement {
  return comment.closest<HTMLElement>('section') ?? comment;
}

function focus(field: HTMLElement | undefined): void {
  if (!field) return;
  // Only the keys of the review lead there.
  field.tabIndex = -1;
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: 'nearest' });
}

/** The fields of an update, such as `oauthInfo.loginUrl`, that differ between two views of the app. */
export function changedFields(update: object, before: unknown, now: unknown): string[] {
  return Object.entries(update).flatMap(([name, value]) => {
    // Views contain the URL of the logo, which is different for each logo.
    const [one, other] = [before, now].map((view) => Object(view)[name === 'logoId' ? 'logoUrl' : name]);
    if (typeof value === 'object' && value) return changedFields(value, one, other).map((field) => `${name}.${field}`);
    return value === undefined || one === other ? [] : [name];
  });
}

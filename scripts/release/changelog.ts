const heading = '## [Unreleased]\n';

/** What the changelog says of changes that are not released yet. */
export function unreleasedSection(changelog: string): string {
  const [, after = ''] = changelog.split(heading);
  return (after.split(/^## /m)[0] ?? '').trim();
}

/** The changelog with those changes under a version and its date, and an empty section for the next ones. */
export function releaseChangelog(changelog: string, version: string, date: Date): string {
  return changelog.replace(heading, `${heading}\n## [${version}] - ${date.toISOString().slice(0, 10)}\n`);
}

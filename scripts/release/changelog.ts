const heading = '## [Unreleased]\n';

/** The unreleased section of the changelog. */
export function unreleasedSection(changelog: string): string {
  const [, after = ''] = changelog.split(heading);
  return (after.split(/^## /m)[0] ?? '').trim();
}

/** The changelog with that section under a version and its date, and an empty section for the next changes. */
export function releaseChangelog(changelog: string, version: string, date: Date): string {
  return changelog.replace(heading, `${heading}\n## [${version}] - ${date.toISOString().slice(0, 10)}\n`);
}

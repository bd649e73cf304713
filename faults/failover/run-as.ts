/** PostgreSQL refuses to run as root, so root starts it as the user `nobody`. */
export const runAs = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

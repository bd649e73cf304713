import { settingDeclarations, settingNames } from '../../features/settings/settings.ts';

/** Each setting with its meaning and its default, for the help of a command. */
export function settingsHelp(): string {
  const lines = settingNames.map((name) => {
    const { help, default: value } = settingDeclarations[name];
    return `  ${name}  ${help} (default: ${value})\n`;
  });
  return `\nSettings:\n${lines.join('')}`;
}

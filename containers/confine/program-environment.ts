/** Programs that read hostile files get nothing else of the media worker's environment. */
export const programEnvironment = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  HOME: '/nonexistent',
  // Fonts come from the job folder, the working directory, and from nowhere else.
  FONTCONFIG_PATH: '.',
}

/** Nothing of our own environment reaches a program that reads hostile files. */
export const programEnvironment = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  HOME: '/nonexistent',
}

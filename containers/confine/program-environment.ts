/** The only variables that programs which read hostile files get from the media worker's environment. */
export const programEnvironment = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  HOME: '/nonexistent',
  // Fonts come from the job folder, the working directory, and from nowhere else.
  FONTCONFIG_PATH: '.',
}

const memory = ['arena_max=1', 'hugetlb=1', 'trim_threshold=268435456', 'mmap_threshold=268435456']

/**
 * For a program that ends soon: it takes memory in large pages and never gives any back, so that the kernel hands out a fifth
 * of the pages. Only glibc reads this.
 */
export const briefProgramEnvironment = {
  ...programEnvironment,
  GLIBC_TUNABLES: memory.map((one) => `glibc.malloc.${one}`).join(':'),
}

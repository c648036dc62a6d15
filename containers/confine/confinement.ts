/** The layers that can separate ffmpeg from the rest of the machine; each is tried before it is relied on. */
export const layers = ['user', 'mount', 'pid', 'net', 'ipc', 'view', 'landlock', 'seccomp'] as const
export type Layer = (typeof layers)[number]

/** nobody and nogroup, on every Linux. */
export const otherUser = 65_534

/** How every ffmpeg and ffprobe is started. */
export type Confinement = {
  readonly layers: readonly Layer[]
  /** The options of confine.pl except the job folder; undefined if programs run unconfined. */
  readonly options: readonly string[] | undefined
  /** The user that the program runs as; undefined if that is the media worker's own user. */
  readonly user: number | undefined
  /** The libraries that the program asks before others: `first-libraries.ts` says why. */
  readonly first?: readonly string[]
}

export const unconfined: Confinement = { layers: [], options: undefined, user: undefined }

export type Grounds = {
  readonly arch: string
  readonly isRoot: boolean
  /** The layers that the system allowed when they were tried. */
  readonly allowed: ReadonlySet<Layer>
  /** What the program may read: its own files, its libraries, and nothing that holds a secret. */
  readonly readable: readonly string[]
  /** Folders that are hidden even if they lie inside a readable one. */
  readonly hidden: readonly string[]
}

const spaces = ['mount', 'pid', 'net', 'ipc'] as const satisfies readonly Layer[]

/** Only root may unshare namespaces directly; other users need a user namespace that owns them. */
function unshareOption(wanted: readonly Layer[], isRoot: boolean): string[] {
  const entered = spaces.filter((space) => wanted.includes(space))
  if (entered.length === 0) return []
  return [`--unshare=${[...(isRoot ? [] : ['user']), ...entered].join(',')}`]
}

/** Uses every allowed layer except those in `without`. */
export function confinementOf(grounds: Grounds, without: readonly Layer[] = []): Confinement {
  const { arch, isRoot, allowed, readable, hidden } = grounds
  const used = layers.filter((layer) => allowed.has(layer) && !without.includes(layer))
  const flags = (['view', 'landlock', 'seccomp'] as const).filter((layer) => used.includes(layer))
  const user = used.includes('user') ? otherUser : undefined
  return {
    layers: used,
    user,
    options: [
      `--arch=${arch}`,
      ...unshareOption(used, isRoot),
      ...flags.map((flag) => `--${flag}`),
      ...(user === undefined ? [] : [`--uid=${user}`]),
      ...readable.map((place) => `--read=${place}`),
      ...hidden.map((folder) => `--hide=${folder}`),
    ],
  }
}

/**
 * Strongest first. An ffmpeg at an unusual place may need more than the usual files, or be readable only by one user.
 * Each weaker candidate leaves out as few layers as possible, so that ffmpeg can still start.
 */
export function candidates(grounds: Grounds): Confinement[] {
  const steps: Layer[][] = [[], ['user'], ['view', 'landlock'], ['user', 'view', 'landlock']]
  const found = steps.map((without) => confinementOf(grounds, without))
  const named = found.map(({ layers }) => layers.join())
  return found.filter((_, i) => named.indexOf(named[i] ?? '') === i)
}

/** What a program could still do after a hostile file has taken it over; empty if none of this. */
export function exposures({ layers: used }: Confinement): string[] {
  const has = (...wanted: Layer[]): boolean => wanted.every((layer) => used.includes(layer))
  const seesNobody = has('user') || has('landlock') || has('pid', 'view')
  const found: [string, boolean][] = [
    ['read the secrets of the media worker', seesNobody],
    ['open connections', has('net') || has('seccomp')],
    ['read files of others', has('view') || has('landlock')],
    ['write outside the folder of its job', has('view') || has('landlock') || has('user')],
    ['signal the media worker', has('user') || has('pid') || has('seccomp')],
  ]
  return found.flatMap(([what, isPrevented]) => (isPrevented ? [] : [what]))
}

export type Launch = { readonly program: string; readonly args: readonly string[] }

const launcher = `${import.meta.dirname}/confine.pl`

/** Wraps a command so that it runs confined to a job folder. */
export function confine(confinement: Confinement, folder: string, command: Launch): Launch {
  const { options, first = [] } = confinement
  const { program, args } = command
  const libraries = first.join(':')
  if (options !== undefined) {
    const more = [...(libraries === '' ? [] : [`--first=${libraries}`]), `--write=${folder}`]
    return { program: 'perl', args: [launcher, ...options, ...more, '--', program, ...args] }
  }
  if (libraries === '') return command
  return { program: 'env', args: [`LD_PRELOAD=${libraries}`, program, ...args] }
}

/** How confine.pl exits if the system refused something, and how its one line of output begins. */
const refusedCode = 125
const refusedMark = 'confine: '

/** Why the program was not started; undefined if it was. */
export function whyNotStarted(exitCode: number | null, stderr: string): string | undefined {
  return exitCode === refusedCode && stderr.startsWith(refusedMark)
    ? stderr.slice(refusedMark.length).trim()
    : undefined
}

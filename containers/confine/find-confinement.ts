import { execFile } from 'node:child_process'
import { access, constants, mkdtemp, readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import {
  candidates,
  confine,
  confinementOf,
  layers,
  otherUser,
  unconfined,
  type Launch,
  type Confinement,
  type Grounds,
  type Layer,
} from './confinement.ts'
import { firstLibraries } from './first-libraries.ts'
import { openTo } from './open-to.ts'
import { programEnvironment } from './program-environment.ts'

type TrialRuns = {
  /** An empty folder like that of a job, for the trial runs. */
  readonly folder: string
  /** Folders that hold secrets. */
  readonly hidden: readonly string[]
  /** The programs that must be able to start confined. */
  readonly programs: readonly string[]
}

const trialPatienceMs = 10_000

/** The folders of programs and their libraries; a program that decodes video needs nothing else of the system. */
const usualPlaces = [
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'share'].map((name) => `/usr/${name}`),
  ...['/usr/local/bin', '/usr/local/lib', '/usr/local/lib64', '/nix/store', '/gnu/store'],
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/alternatives'],
]

/** Tries what this system allows and returns the strongest confinement in which these programs still start. */
export async function findConfinement(search: TrialRuns): Promise<Confinement> {
  if (process.platform !== 'linux') return unconfined
  const { folder, programs } = search
  const grounds = await findGrounds(search)
  await openTo(folder, grounds.allowed.has('user') ? otherUser : undefined)
  const found = await firstThatStarts(candidates(grounds), search)
  const first = await firstLibraries(programs[0] ?? '')
  const sooner = { ...found, first }
  return first.length > 0 && (await startAll(programs, sooner, folder)) ? sooner : found
}

async function firstThatStarts(
  tried: Iterable<Confinement>,
  { folder, programs }: TrialRuns,
): Promise<Confinement> {
  for (const candidate of tried) {
    if (await startAll(programs, candidate, folder)) return candidate
  }
  return unconfined
}

/** Whether all of these programs start, and their loader complains of nothing. */
export async function startAll(
  programs: readonly string[],
  confinement: Confinement,
  folder: string,
): Promise<boolean> {
  const starts = programs.map(async (program) =>
    runs(confine(confinement, folder, { program, args: ['-version'] }), folder),
  )
  return (await Promise.all(starts)).every(Boolean)
}

/** Finds which layers this system allows and what the programs need to read. */
export async function findGrounds({ folder, programs, hidden }: TrialRuns): Promise<Grounds> {
  const isRoot = process.getuid?.() === 0
  const readable = await readablePlaces(programs, hidden)
  const base = { arch: process.arch, isRoot, readable, hidden }
  const tried = await Promise.all(
    layers.map(async (layer) => ((await isAllowed(layer, base, folder)) ? [layer] : [])),
  )
  return { ...base, allowed: new Set(tried.flat()) }
}

/** `view` is tried together with `mount`, which it needs; every other layer is tried alone. */
async function isAllowed(
  layer: Layer,
  base: Omit<Grounds, 'allowed'>,
  folder: string,
): Promise<boolean> {
  if (layer === 'user') return base.isRoot && canBeAnother(base, folder)
  const needed: Layer[] = layer === 'view' ? ['mount', 'view'] : [layer]
  const trial = confinementOf({ ...base, allowed: new Set(needed) })
  return runs(confine(trial, folder, { program: 'true', args: [] }), folder)
}

/** Also checks that the two users can exchange files in both directions. */
async function canBeAnother(base: Omit<Grounds, 'allowed'>, folder: string): Promise<boolean> {
  const place = await mkdtemp(path.join(folder, 'user-'))
  try {
    await openTo(place, otherUser)
    const trial = confinementOf({ ...base, allowed: new Set(['user']) })
    const write = { program: 'sh', args: ['-c', 'id -u > written'] }
    if (!(await runs(confine(trial, place, write), place))) return false
    return (await readFile(path.join(place, 'written'), 'utf8')).trim() === String(otherUser)
  } catch {
    return false
  }
}

async function runs({ program, args }: Launch, cwd: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { cwd, env: programEnvironment, timeout: trialPatienceMs, maxBuffer: 1 << 20 }
    execFile(program, [...args], options, (error, _, stderr) =>
      resolve(error === null && !stderr.includes('cannot be preloaded')),
    )
  })
}

/** The usual places that exist on this system, and the folders of programs that lie elsewhere. */
async function readablePlaces(
  programs: readonly string[],
  hidden: readonly string[],
): Promise<string[]> {
  const own = await Promise.all(programs.map(placesOf))
  const places = own.flat().map((file) => placeToShow(file, hidden))
  const existing = await Promise.all(
    usualPlaces.map(async (place) => ((await exists(place)) ? [place] : [])),
  )
  const usual = existing.flat()
  const isCovered = (place: string) => usual.some((one) => isInside(place, one))
  return [...usual, ...new Set(places.filter((place) => !isCovered(place)))]
}

/** The folder of the program, which may hold its libraries too; only the file if that folder also holds a secret. */
export function placeToShow(file: string, hidden: readonly string[]): string {
  const folder = path.dirname(file)
  return hidden.some((secret) => isInside(secret, folder)) ? file : folder
}

function isInside(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** The file that the search path has for a program, and the one it links to in the end. */
export async function placesOf(program: string): Promise<string[]> {
  for (const folder of (programEnvironment.PATH ?? '').split(path.delimiter)) {
    const file = path.resolve(folder, program)
    if (await exists(file, constants.X_OK)) return [file, await realpath(file)]
  }
  return []
}

async function exists(file: string, mode = constants.F_OK): Promise<boolean> {
  return access(file, mode).then(
    () => true,
    () => false,
  )
}

/** The version and build that a program prints; it runs confined, as always. */
export async function aboutProgram(
  program: string,
  confinement: Confinement,
  folder: string,
): Promise<string> {
  const { program: file, args } = confine(confinement, folder, { program, args: ['-version'] })
  const options = { cwd: folder, env: programEnvironment, timeout: trialPatienceMs }
  const { stdout } = await promisify(execFile)(file, [...args], options)
  return stdout
}

export async function versionOf(
  program: string,
  confinement: Confinement,
  folder: string,
): Promise<string> {
  return versionIn(await aboutProgram(program, confinement, folder))
}

export function versionIn(about: string): string {
  return /^ff\w+ version (\S+)/.exec(about)?.[1] ?? 'unknown'
}

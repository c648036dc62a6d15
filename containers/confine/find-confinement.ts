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
  type Command,
  type Confinement,
  type Grounds,
  type Layer,
} from './confinement.ts'
import { openTo } from './open-to.ts'
import { programEnvironment } from './program-environment.ts'

export type Search = {
  /** An empty folder like that of a job, to try things in. */
  readonly folder: string
  /** Folders with secrets. */
  readonly hidden: readonly string[]
  /** Must start in what is found. */
  readonly programs: readonly string[]
}

const trialPatienceMs = 10_000

/** Where programs and their libraries lie; the rest of a system is nobody's business that decodes video. */
const usualPlaces = [
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'share'].map((name) => `/usr/${name}`),
  ...['/usr/local/bin', '/usr/local/lib', '/usr/local/lib64', '/nix/store', '/gnu/store'],
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/alternatives'],
]

/** Tries what this system allows, and takes the most with which these programs still start. */
export async function findConfinement(search: Search): Promise<Confinement> {
  if (process.platform !== 'linux') return unconfined
  const { folder, programs } = search
  const grounds = await findGrounds(search)
  await openTo(folder, grounds.allowed.has('user') ? otherUser : undefined)
  for (const candidate of candidates(grounds)) {
    const starts = programs.map(async (program) =>
      runs(confine(candidate, folder, { program, args: ['-version'] }), folder),
    )
    if ((await Promise.all(starts)).every(Boolean)) return candidate
  }
  return unconfined
}

/** What this system allows, and what the programs need to see. */
export async function findGrounds({ folder, programs, hidden }: Search): Promise<Grounds> {
  const isRoot = process.getuid?.() === 0
  const readable = await readablePlaces(programs, hidden)
  const base = { arch: process.arch, isRoot, readable, hidden }
  const tried = await Promise.all(
    layers.map(async (layer) => ((await isAllowed(layer, base, folder)) ? [layer] : [])),
  )
  return { ...base, allowed: new Set(tried.flat()) }
}

/** A view needs mounts of its own; everything else is tried alone. */
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

/** Also files have to pass from one to the other and back. */
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

async function runs({ program, args }: Command, cwd: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { cwd, env: programEnvironment, timeout: trialPatienceMs, maxBuffer: 1 << 20 }
    execFile(program, [...args], options, (error) => resolve(error === null))
  })
}

/** The usual places that exist, and the folders of programs that lie elsewhere. */
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

/** A folder, for what a program has beside it; the file alone where a secret lies in that folder. */
export function placeToShow(file: string, hidden: readonly string[]): string {
  const folder = path.dirname(file)
  return hidden.some((secret) => isInside(secret, folder)) ? file : folder
}

function isInside(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

async function placesOf(program: string): Promise<string[]> {
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

/** What a program says of its version; it is confined like any other run of it. */
export async function versionOf(
  program: string,
  confinement: Confinement,
  folder: string,
): Promise<string> {
  const { program: file, args } = confine(confinement, folder, { program, args: ['-version'] })
  const options = { cwd: folder, env: programEnvironment, timeout: trialPatienceMs }
  const { stdout } = await promisify(execFile)(file, [...args], options)
  return /^ff\w+ version (\S+)/.exec(stdout)?.[1] ?? 'unknown'
}

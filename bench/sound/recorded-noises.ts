import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { readSound } from '../speech/voices.ts'
import { rate } from './mix.ts'

const run = promisify(execFile)

/** Recordings from a city-building game, taken from Debian: they are used here and never stored in the repository. */
const debianPackage = 'lincity-ng-data'
const soundFolder = 'usr/share/games/lincity-ng/sounds'
const musicFolder = 'usr/share/games/lincity-ng/music/default'

const recordings = {
  street: ['TraficHigh1', 'TraficLow2', 'TraficHigh2', 'TraficLow1', 'TraficHigh3', 'TraficLow3'],
  market: ['MarketFull1', 'MarketMed1'],
  stadium: ['SportsCroud1', 'SportsCroud2', 'SportsCroud3'],
  factory: ['IndustryHigh1', 'IndustryHigh2', 'IndustryLight1', 'CoalMine2', 'Mill1'],
  children: ['School1', 'School2', 'School3', 'University1'],
  water: ['Water1', 'Water2', 'Water3', 'Water4', 'Water5'],
  wind: ['WindMill1', 'WindMill2', 'WindMill3'],
} as const

/** Complete pieces of music, which do not fit under a voice by chance. */
const pieces = {
  electronic: '01 - pronobozo - lincity.ogg',
  blues: '02 - Robert van Herk - City Blues.ogg',
  piano: '03 - Robert van Herk - Architectural Contemplations.ogg',
} as const

export type Recordings = {
  noise: (name: keyof typeof recordings) => Promise<Float32Array>
  piece: (name: keyof typeof pieces) => Promise<Float32Array>
}

/** Downloads the package (44 MB) from the Debian mirror of this machine, unless it is already there. */
export async function fetchRecordings(folder: string): Promise<Recordings> {
  await mkdir(folder, { recursive: true })
  if ((await debOf(folder)) === undefined)
    await run('apt-get', ['download', debianPackage], { cwd: folder })
  const archive = await debOf(folder)
  if (archive === undefined) throw new Error(`apt-get brought no ${debianPackage}`)
  await run('dpkg-deb', ['-x', path.join(folder, archive), folder])
  const read = async (...file: string[]): Promise<Float32Array> =>
    readSound(['-i', path.join(folder, ...file)], 'anull', rate)
  return {
    noise: async (name) =>
      chained(
        await Promise.all(recordings[name].map(async (file) => read(soundFolder, `${file}.wav`))),
      ),
    piece: async (name) => read(musicFolder, pieces[name]),
  }
}

async function debOf(folder: string): Promise<string | undefined> {
  return (await readdir(folder)).find(
    (name) => name.startsWith(debianPackage) && name.endsWith('.deb'),
  )
}

/** The recordings fade in and out by themselves. */
const edge = 0.3 * rate
const crossfade = 0.1 * rate

/** Joins the recordings with crossfades, including the last to the first, so that the result can be repeated. */
function chained(recorded: readonly Float32Array[]): Float32Array {
  const parts = recorded.map((part) => part.subarray(edge, -edge))
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length - crossfade, 0))
  let at = 0
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) {
      const inside = Math.min(1, i / crossfade, (part.length - 1 - i) / crossfade)
      const place = (at + i) % whole.length
      whole[place] = (whole[place] ?? 0) + (part[i] ?? 0) * Math.sin((inside * Math.PI) / 2)
    }
    at += part.length - crossfade
  }
  return whole
}

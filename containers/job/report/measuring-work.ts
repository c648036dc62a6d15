import {
  asksForTranscript,
  type ProcessingOptions,
} from '../../../worker/contract/options/options.ts'
import { followingResults, isFollowed } from '../../render/output-options.ts'
import { placesIn } from '../../ffmpeg/scan/measure-scan.ts'
import { cutsWords, needsVoices } from '../../sound/sound-request.ts'
import type { PictureLoad } from './encoding-effort.ts'
import { addWorks } from './work-ahead.ts'
import { usualTime, work, type Work } from './work-kinds.ts'

/** Runs of pictures all over the footage are examined; those with many bits take longer. */
const lookedAt = { msOfRun: 55, msPerMegabit: 10 } as const

const usualRate = 30
const usualSize = { width: 1280, height: 720 }

/** All that is measured of the footage. */
export function measuringWork(
  options: ProcessingOptions,
  seconds: number,
  load: Partial<PictureLoad> = {},
): Work {
  const listening = listeningWork(options, seconds)
  if (options.analyzeOnly) return listening
  const msOfUnit = usualTime({ ...listening, units: 1 })
  const heard = { ...listening, units: listening.units + lookingMs(seconds, load) / msOfUnit }
  const seen = [
    ...(options.blurFaces ? [work('seeing faces', pixelsOf(seconds, load))] : []),
    ...(options.stabilize ? [shakeWork(seconds, load)] : []),
    ...(seesPeople(options, load) ? [work('seeing people', pixelsOf(seconds, load))] : []),
  ]
  return seen.length > 0 ? addWorks([heard, ...seen]) : heard
}

/** Whether pictures are searched for people: not if the film already has the right shape. */
function seesPeople(options: ProcessingOptions, { width, height }: Partial<PictureLoad>): boolean {
  const isAsStored = !options.combine && options.rotate === 0 && options.crop === undefined
  return isAsStored && width !== undefined && height !== undefined
    ? isFollowed({ width, height }, options)
    : followingResults(options).length > 0
}

/** How long it takes to see whether the pictures are interlaced. */
function lookingMs(seconds: number, { bitRate = 0 }: Partial<PictureLoad>): number {
  const { msOfRun, msPerMegabit } = lookedAt
  return placesIn(seconds).length * msOfRun + (bitRate / 1e6) * Math.min(1, seconds) * msPerMegabit
}

/** Pixels in millions. */
function pixelsOf(seconds: number, load: Partial<PictureLoad>): number {
  const { width, height, averageFps = usualRate } = { ...usualSize, ...load }
  return (seconds * averageFps * width * height) / 1e6
}

export function shakeWork(
  seconds: number,
  { averageFps = usualRate }: Partial<PictureLoad> = {},
): Work {
  return work('measuring shake', (seconds * averageFps) / usualRate)
}

/** How often the loudness that comes of a gain is measured until the gain is right; another speed changes the loudness too. */
const gainPasses = { usual: 1, atOtherSpeed: 2 } as const

/** The measurements that need no pictures. */
export function listeningWork(options: ProcessingOptions, seconds: number): Work {
  const heard = decodingWork(options, seconds)
  if (!options.normalizeAudio) return heard
  const passes = (options.speed ?? 1) === 1 ? gainPasses.usual : gainPasses.atOtherSpeed
  const { kind, units } = work('measuring gain', seconds)
  return addWorks([heard, { kind, units: units * passes }])
}

function decodingWork(options: ProcessingOptions, seconds: number): Work {
  if (options.removeNoise) return work('measuring noise', seconds)
  if (needsVoices(options)) return work('measuring voices', seconds)
  const decodes =
    options.normalizeAudio || cutsWords(options) || asksForTranscript(options) || !!options.captions
  return work(decodes ? 'measuring sound' : 'measuring', seconds)
}

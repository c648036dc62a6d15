import {
  asksForTranscript,
  type ProcessingOptions,
} from '../../../worker/contract/options/options.ts'
import { cutsWords, needsVoices } from '../../sound/sound-request.ts'
import type { PictureLoad } from './encoding-effort.ts'
import { addWorks } from './work-ahead.ts'
import { work, type Work } from './work-kinds.ts'

/** How many more units each megabit takes in a second of footage whose first pictures are looked at. */
const lookedAtPerMegabit = 5

/** Whether a result follows who is seen. */
export function follows({ resizeMode, outputs = [] }: ProcessingOptions): boolean {
  return [resizeMode, ...outputs.map((output) => output.resizeMode)].includes('follow')
}

const usualRate = 30
const usualSize = { width: 1280, height: 720 }

/** All that is measured of the footage. */
export function measuringWork(
  options: ProcessingOptions,
  seconds: number,
  load: Partial<PictureLoad> = {},
): Work {
  const heard = listeningWork(options, seconds, load.bitRate)
  if (options.analyzeOnly) return heard
  const seen = [
    ...(options.blurFaces ? [work('seeing faces', pixelsOf(seconds, load))] : []),
    ...(options.stabilize ? [shakeWork(seconds, load)] : []),
    ...(follows(options) ? [work('seeing people', pixelsOf(seconds, load))] : []),
  ]
  return seen.length > 0 ? addWorks([heard, ...seen]) : heard
}

/** In millions. */
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

/** What is measured without a look at all pictures. `bitRate`: bits a second of the footage. */
export function listeningWork(options: ProcessingOptions, seconds: number, bitRate = 0): Work {
  if (options.removeNoise) return work('measuring noise', seconds)
  if (needsVoices(options)) return work('measuring voices', seconds)
  const decodes =
    options.normalizeAudio || cutsWords(options) || asksForTranscript(options) || !!options.captions
  if (decodes) return work('measuring sound', seconds)
  // Pictures of many bits take longer to look at.
  return work('measuring', seconds + (bitRate / 1e6) * Math.min(1, seconds) * lookedAtPerMegabit)
}

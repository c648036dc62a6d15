import type { ForeseenResult } from '../../../worker/contract/job/foresight.ts'
import type { Output } from '../../../worker/contract/options/outputs/outputs.ts'
import { sayLeftOut } from '../../render/output/ladder.ts'
import { planSoundFile } from '../../render/output/sound-file.ts'
import { filmSeconds } from '../../timeline/list-cuts.ts'
import type { Cut } from '../cut/cut-footage.ts'
import type { CutResults } from '../outputs/cut-clips.ts'
import type { FilmOutput } from '../outputs/encode-together.ts'
import { planFilm } from '../outputs/film-output.ts'
import { optionsOf } from '../outputs/output-options.ts'
import { openPictures, type PictureOutput } from '../outputs/pictures/open-pictures.ts'
import { isPictureOutput } from '../outputs/pictures/render-pictures.ts'
import { named, worksOf } from '../outputs/render-outputs.ts'
import { isSoundOutput, soundless, type SoundOutput } from '../outputs/sound-output.ts'
import { isStreamOutput, ladderFor } from '../outputs/stream-output.ts'
import type { Planned } from '../plan/plan-job.ts'
import type { Paces } from '../../../worker/contract/job/paces.ts'
import { outputsWork } from '../report/work-ahead.ts'
import { pictureBitsOf } from '../report/encoding-effort.ts'
import { filmResult, roundedResult, type Lengths } from './film-result.ts'
import { around, stretched } from './ranges.ts'

type Foreseen = { readonly result: ForeseenResult; readonly warnings: readonly string[] }

/** Foresees every output as it would be made, in their order. */
export async function foreseeOutputs(
  { cut: whole, clips, suggested }: Pick<CutResults, 'cut' | 'clips' | 'suggested'>,
  outputs: readonly Output[],
  { share: shareLeft }: Lengths,
) {
  const { context } = whole
  const cutOf = ({ name }: Output): Cut => clips.get(name) ?? whole
  const films: FilmOutput[] = []
  const foreseen: (Foreseen & { name: string })[] = []
  for (const [place, output] of outputs.entries()) {
    const { name } = output
    const cut = cutOf(output)
    const isSuggested = suggested?.outputs.some((one) => one.name === name)
    const lengths = { share: (isSuggested ? suggested?.share : undefined) ?? shareLeft }
    const one = await named(outputs, output, async (): Promise<Foreseen> => {
      if (isSoundOutput(output)) return soundOf(cut, output, lengths)
      if (isStreamOutput(output)) return streamOf(cut, output, lengths)
      if (isPictureOutput(output)) return picturesOf(cut, output, { place, lengths })
      const planned = await planFilm(cut, output, place)
      films.push({ place, planned })
      return filmOf(planned, lengths, context.job.paces)
    })
    foreseen.push({ name, ...one, result: roundedResult(one.result) })
  }
  return {
    results: foreseen.map(({ name, result }) => ({ name, ...result })),
    warnings: foreseen.flatMap(({ name, warnings }) =>
      warnings.map((warning) => `outputs (${name}): ${warning}`.slice(0, 500)),
    ),
    rendering: outputsWork(worksOf(cutOf, outputs, films)),
  }
}

async function filmOf(planned: Planned, lengths: Lengths, paces: Paces = {}): Promise<Foreseen> {
  return { result: await filmResult(planned, lengths, paces), warnings: planned.plan.warnings }
}

/** Sounds that lose nothing take a part of what they take raw. */
const losslessShare: Readonly<Record<string, number>> = { wav: 1, flac: 0.55 }
const rawSoundBits = 48_000 * 16 * 2

function soundOf(cut: Cut, output: SoundOutput, { share }: Lengths): Foreseen {
  const options = optionsOf(cut.context.job.options, output)
  const none = { captions: undefined, captionFiles: [], copy: undefined }
  const plan = planSoundFile({ ...cut, ...none }, options, output)
  if (!plan) throw soundless()
  const { durationSeconds, format, track, warnings } = plan
  const rate = track.coding[track.coding.indexOf('-b:a') + 1]
  const isLossless = !track.coding.includes('-b:a')
  const bits = isLossless
    ? rawSoundBits * (losslessShare[format] ?? 1)
    : Number.parseFloat(rate ?? '') * 1000
  const sizeInBytes = around((bits * durationSeconds) / 8, isLossless ? 0.3 : 0.08)
  return {
    result: {
      ...{ format, picture: null, whyEncoded: null, sound: 'encoded' },
      duration: stretched(durationSeconds, share),
      sizeInBytes: stretched(sizeInBytes, share),
    },
    warnings,
  }
}

function streamOf(cut: Cut, output: Output, { share }: Lengths): Foreseen {
  const ladder = ladderFor(cut, output)
  const [largest] = ladder.rungs
  const { facts } = cut.clips[0]
  const seconds = filmSeconds(cut)
  const pixels = ladder.rungs.reduce((sum, { width, height }) => sum + width * height, 0)
  const ofSource = Math.min(
    1,
    pictureBitsOf(facts) / streamBitsOfPixel / (facts.video.width * facts.video.height),
  )
  const bits = pixels * streamBitsOfPixel * ofSource + (facts.audio ? streamSoundBits : 0)
  return {
    result: {
      ...{ format: 'hls', picture: 'encoded', whyEncoded: null },
      sound: facts.audio ? 'encoded' : 'none',
      ...{ width: largest.width, height: largest.height },
      duration: stretched(seconds, share),
      sizeInBytes: stretched(around((bits * seconds) / 8, 0.6), share),
    },
    warnings: sayLeftOut(ladder),
  }
}

/** Bits a second for each pixel of a size, of footage that has as many. */
const streamBitsOfPixel = 2.5
const streamSoundBits = 128_000

/** Bytes of a pixel of a still; of pictures that move, of each picture at a usual rate. */
const pictureBytes: Readonly<Record<string, number>> = {
  jpg: 0.12,
  png: 1.3,
  sprite: 0.12,
  gif: 0.35,
  webp: 0.06,
}
const movingRate = 12
const spriteWidth = 160

async function picturesOf(
  cut: Cut,
  output: PictureOutput,
  { place, lengths: { share } }: { readonly place: number; readonly lengths: Lengths },
): Promise<Foreseen> {
  const { outputFormat: format, times, interval, fps } = output
  const opened = await openPictures(cut, output, place)
  const { size, seconds, warnings } = opened
  const isMoving = format === 'gif' || format === 'webp'
  const rate = typeof fps === 'number' ? fps : movingRate
  const count = isMoving
    ? seconds * rate
    : format === 'sprite'
      ? seconds / (interval ?? 5)
      : (times?.length ?? 1)
  const pixels =
    format === 'sprite' ? spriteWidth ** 2 * (size.height / size.width) : size.width * size.height
  const bytes = (pictureBytes[format] ?? 1) * pixels * Math.max(1, count)
  return {
    result: {
      ...{ format, picture: 'encoded', whyEncoded: null, sound: 'none' },
      ...(format !== 'sprite' && { width: size.width, height: size.height }),
      duration: isMoving ? stretched(seconds, share) : around(0, 0),
      sizeInBytes: around(bytes, 0.8),
    },
    warnings,
  }
}

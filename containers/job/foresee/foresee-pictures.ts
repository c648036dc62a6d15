import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ForeseenResult } from '../../../worker/contract/job/foresight.ts'
import { fpsAsked } from '../../../worker/contract/options/outputs/outputs.ts'
import type { Cut } from '../cut/cut-footage.ts'
import { openPictures, type PictureOutput } from '../outputs/pictures/open-pictures.ts'
import { isMovingOutput, movingAsked } from '../outputs/pictures/moving-output.ts'
import { makePictures } from '../outputs/pictures/render-pictures.ts'
import { isSpriteOutput, openSprite } from '../outputs/pictures/sprite-output.ts'
import { bitsOfPixel, loadOf } from '../report/encoding-effort.ts'
import { otherWork } from '../report/work-ahead.ts'
import { paceOf } from '../report/work-kinds.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { filmSeconds } from '../../timeline/list-cuts.ts'
import type { Assumed } from './film-result.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'
import { around, stretched } from './ranges.ts'
import { mostMs, tryForPlan } from '../try-for-plan.ts'

/** Bytes of a pixel: of a still or, in moving pictures, of each picture, if its source has one bit a pixel. */
const pictureBytes: Readonly<Record<PictureOutput['outputFormat'], number>> = {
  jpg: 0.12,
  png: 1.3,
  sprite: 0.25,
  gif: 0.56,
  webp: 0.1,
}
/** In moving pictures only changes take bytes; the bits of the source tell how much changes. */
const movingDetail = 0.65
/** The pictures made for the plan differ from those of the job by what is cut out of the film. */
const madeSpread = 0.02
const unmadeSpread = { still: 0.8, moving: 0.5 } as const

export type Foreseen = { readonly result: ForeseenResult; readonly warnings: readonly string[] }

export type Placed = { readonly place: number; readonly lengths: Assumed }

/** Milliseconds to encode a million pixels of moving pictures. */
const movingMs = { gif: 90, webp: 60 }

/** Makes the pictures themselves for the plan if that takes no longer than samples of a film. */
export async function foreseePictures(
  cut: Cut,
  output: PictureOutput,
  { place, lengths: { share } }: Placed,
): Promise<Foreseen> {
  const opened = await openAsked(cut, output, place)
  const { format, size, seconds, pixels, warnings } = opened
  const made = await makeQuickly(cut, output, { place, pixels })
  const detail = seconds === undefined ? 1 : movingDetailOf(cut, size)
  const bytes = made ?? (pictureBytes[format] ?? 1) * detail * pixels
  const spread = seconds === undefined ? unmadeSpread.still : unmadeSpread.moving
  const sizeInBytes = around(bytes, made === undefined ? spread : madeSpread)
  const result: ForeseenResult = {
    ...{ format, picture: 'encoded', whyEncoded: null, sound: 'none', ...size },
    duration: seconds === undefined ? around(0, 0) : stretched(seconds, share),
    sizeInBytes: stretched(sizeInBytes, seconds === undefined ? around(1, 0) : share),
  }
  return { result, warnings }
}

/** How much of a pixel changes from one picture to the next, in pictures smaller than their sources. */
function movingDetailOf({ clips }: Cut, { width, height }: Size): number {
  const detailOf = (facts: MediaFacts): number => {
    const smaller = (facts.video.width * facts.video.height) / Math.max(1, width * height)
    const bits = bitsOfPixel(loadOf(facts)) * Math.max(1, smaller)
    return Math.min(1.5, Math.max(0.05, bits ** movingDetail))
  }
  let [detail, seconds] = [0, 0]
  for (const { facts } of clips) {
    detail += detailOf(facts) * facts.durationSeconds
    seconds += facts.durationSeconds
  }
  return detail / Math.max(0.04, seconds)
}

/** Opens the requested pictures, with defaults filled in. `seconds`: of moving pictures; `pixels`: of all pictures. */
async function openAsked(cut: Cut, output: PictureOutput, place: number) {
  const { outputFormat: format } = output
  if (isSpriteOutput(output)) {
    const { opened, moments, warnings } = await openSprite(cut, output, place)
    const { size } = opened
    const pixels = size.width * size.height * moments.length
    return { format, size, seconds: undefined, pixels, warnings }
  }
  if (isMovingOutput(output)) {
    const { asked, warnings } = movingAsked(cut, output)
    const { size, seconds, ...opened } = await openPictures(cut, asked, place)
    const pixels = size.width * size.height * Math.max(1, seconds * (fpsAsked(asked.fps) ?? 1))
    return { format, size, seconds, pixels, warnings: [...opened.warnings, ...warnings] }
  }
  const { size, warnings } = await openPictures(cut, output, place)
  const pixels = size.width * size.height * (output.times?.length ?? 1)
  return { format, size, seconds: undefined, pixels, warnings }
}

/** The bytes of the pictures; undefined if making them would take long or is not possible now. */
async function makeQuickly(
  cut: Cut,
  output: PictureOutput,
  { place, pixels }: { readonly place: number; readonly pixels: number },
): Promise<number | undefined> {
  const { context, clips } = cut
  const { paces = {} } = context.job
  if (context.isPartial || context.isUnseen) return undefined
  const { kind, units } = otherWork(output.outputFormat, loadOf(clips[0].facts), filmSeconds(cut))
  const encodingMs = isMovingOutput(output) ? movingMs[output.outputFormat] * (pixels / 1e6) : 0
  if (Math.max(paceOf(kind, paces).ms * units, encodingMs) > mostMs) return undefined
  return tryForPlan(context, 'The pictures', async (trying) => {
    const { files } = await makePictures({ ...cut, context: trying }, output, place)
    const made = files.map(({ file }) => path.join(trying.tools.folder, file))
    let bytes = 0
    for (const where of made) bytes += (await stat(where)).size
    // Two moments may show the same picture.
    for (const where of new Set(made)) await rm(where)
    return bytes
  })
}

import type { Output } from '../../../../worker/contract/options/outputs/outputs.ts'
import type { PictureFormat } from '../../../../worker/contract/options/outputs/output-pictures.ts'
import type { Stream } from '../../../graph/filter-graph.ts'
import type { FileTables } from '../../../parts/window/window.ts'
import { applyOptions } from '../../../render/apply-options.ts'
import { tagMatrix } from '../../../render/color/limited-yuv.ts'
import { elementSounds } from '../../../render/elements/element-sound.ts'
import { steadied } from '../../../render/elements/without-gaps.ts'
import type { Size } from '../../../../worker/contract/layout/element-layout.ts'
import { shapeClips } from '../../../render/frame/shape-clips.ts'
import { codablePicture, refuseDolbyVisionOnly } from '../../../render/output/plan-picture.ts'
import { refuseEndless } from '../../../render/plan-render.ts'
import type { RenderState } from '../../../render/render-state.ts'
import type { Cut } from '../../cut/cut-footage.ts'
import type { PlannedPictures } from '../../check/files/look-at-pictures.ts'
import type { Grid } from '../../check/shown/picture-grid.ts'
import type { JobContext } from '../../job-context.ts'
import { addCaptions, type Captioned } from '../../plan/add-captions.ts'
import { readFromExcerpt, tablesOf } from '../../plan/read-from-excerpt.ts'
import type { MadeOutput } from '../made-output.ts'
import { asOutput } from '../as-output.ts'
import { optionsOf } from '../../../render/output-options.ts'
import { nearestEven } from '../../../numbers/nearest-even.ts'

/** An output that is made of pictures of the film. */
export type PictureOutput = Output & { readonly outputFormat: PictureFormat }

/** The pictures of the film as the output shapes them, before they are encoded. */
export type OpenedPictures = {
  readonly context: JobContext
  readonly size: Size
  readonly seconds: number
  readonly frameRate: RenderState['frameRate']
  /** The pictures at their own times. */
  readonly video: Stream<'video'>
  /** The pictures at a steady rate, from the first moment to the last. */
  readonly steady: Stream<'video'>
  /** Options of the run, if pictures before an excerpt are not even read. */
  readonly timing: readonly string[] | undefined
  readonly tables: () => Promise<FileTables | undefined>
  readonly warnings: readonly string[]
}

/** An output of pictures, and what the checks need to know about it. */
export type MadePictures = MadeOutput & {
  readonly planned: PlannedPictures
  readonly shown: ShownPictures
}

/** What the pictures of an output have to show. */
export type ShownPictures =
  /** Each shows a second of the film. */
  | {
      readonly kind: 'stills'
      readonly opened: OpenedPictures
      readonly moments: readonly number[]
    }
  /** Sheets with this many pictures side by side and one below the other. */
  | {
      readonly kind: 'tiles'
      readonly opened: OpenedPictures
      readonly moments: readonly number[]
      readonly across: number
      readonly down: number
      readonly tile: Grid
    }
  | {
      readonly kind: 'moving'
      readonly opened: OpenedPictures
      /** The pictures uncut at their beginning and end, for which no window could be made. */
      readonly whole: () => Promise<OpenedPictures>
      readonly startTime: number
      readonly fps: number
    }

export async function openPictures(
  cut: Cut,
  output: PictureOutput,
  place: number,
): Promise<OpenedPictures> {
  const captioned = await readFromExcerpt(await addCaptions(await asOutput(cut, output, place)))
  const { context, clips, fetched } = captioned
  const changing = { forbidden: 'single pictures are shown' }
  const { state } = applyOptions(captioned, context.job.options, changing)
  refuseEndless(state, context.settings.MAX_PIXELS)
  refuseDolbyVisionOnly(clips)
  const video = codable(state)
  return {
    context,
    size: state.frame,
    seconds: state.durationSeconds,
    frameRate: state.frameRate,
    video,
    steady: codable(steadied(state)),
    timing: state.excerpt?.timing,
    tables: async () => tablesOf(context.tools, fetched, video),
    warnings: ofPictures(state, captioned),
  }
}

/** Leaves out warnings about sounds, which do not concern a picture. */
function ofPictures(
  state: RenderState,
  { context, elementMedia, ducked }: Pick<Captioned, 'context' | 'elementMedia' | 'ducked'>,
): string[] {
  const { elements = [] } = context.job.options
  const late = elementSounds(elements, elementMedia, state).warnings
  const ofSounds = new Set([...late, ...(ducked?.warnings ?? [])])
  return state.warnings.filter((one) => !ofSounds.has(one) && !one.startsWith('normalizeAudio'))
}

function codable(state: RenderState): Stream<'video'> {
  return tagMatrix(codablePicture(state, 'mp4').stream, state.colorMatrix)
}

/** The size of an output that names none: its longer side has the usual number of pixels, but not more than that of the film. */
export function sizeWithin(
  { clips, context }: Cut,
  output: PictureOutput,
  longest: number,
): Partial<Size> {
  if (output.width !== undefined || output.height !== undefined) return {}
  const { frame } = shapeClips(clips, optionsOf(context.job.options, output))
  const side = Math.max(frame.width, frame.height)
  if (side <= longest) return {}
  return frame.width >= frame.height ? { width: longest } : { height: nearestEven(longest) }
}

import type { Check } from '../../../../worker/contract/job/check.ts'
import { PartRefusal } from '../../../parts/part-refusal.ts'
import { windowGlobals, windowOf } from '../../../parts/window/window-of.ts'
import { fpsOf } from '../../../timeline/frame-rate.ts'
import type { MadePictures, OpenedPictures } from '../../outputs/pictures/open-pictures.ts'
import { inScreenColors } from '../../outputs/pictures/take-pictures.ts'
import type { OutputFile } from '../../render/finish-output.ts'
import { mostPictures, pictureDemuxers } from '../check-files.ts'
import { faultAt } from './check-shown.ts'
import { failed, passed, say } from '../check-tables.ts'
import { lookAtAll, type Look } from '../look-at-film.ts'
import { gridFor, picturesOn } from './picture-grid.ts'
import { makeSmall } from './planned-pictures.ts'

type ShownPictures = NonNullable<MadePictures['shown']>

const mostMoving = 15

/** Whether the first pictures show what the graph of the film makes of its sources. */
export async function checkPicturesShown(
  files: readonly OutputFile[],
  { opened, shows }: ShownPictures,
): Promise<Check[]> {
  const { context, size } = opened
  const grid = gridFor(size)
  const [most, count] = shows === 'beginning' ? [1, mostMoving] : [mostPictures, 1]
  const looks = files.slice(0, most).flatMap(({ file: name, extension }): Look[] => {
    const demuxer = pictureDemuxers[extension]
    if (demuxer === undefined) return []
    return [{ kind: 'pictures', input: { name, demuxer }, index: 0, count, grid }]
  })
  if (looks.length === 0) return []
  const { seen } = await lookAtAll(context.tools, looks, 'shown')
  for (const [i, bytes] of seen.entries()) {
    const at = shows === 'beginning' ? undefined : (shows[i] ?? 0)
    const made = await graphAt(opened, at)
    const planned =
      made && (await makeSmall(context, made.stream, { ...made, grid, count: 2 + count }))
    if (!planned) return []
    const fault = faultAt({ grid, film: picturesOn(grid, bytes), planned }, false)
    if (fault) return [failed('pictures', `${fault.what}: at ${say(at ?? 0)} s.`)]
  }
  return [passed('pictures', 'They show what was planned.')]
}

/** The graph of the picture of a moment and of those beside it, or from the beginning on. */
async function graphAt(opened: OpenedPictures, at: number | undefined) {
  const { video, timing, frameRate } = opened
  if (at === undefined) return { stream: inScreenColors(video, 'rgb24'), timing }
  const tables = await opened.tables()
  if (!tables) return undefined
  const reach = 1.25 / fpsOf(frameRate)
  try {
    const window = { from: at - reach, to: at + reach }
    return {
      stream: inScreenColors(windowOf(video, window, tables), 'rgb24'),
      timing: windowGlobals,
    }
  } catch (error) {
    if (error instanceof PartRefusal) return undefined
    throw error
  }
}

import { placeElement } from '../../render/elements/place-element.ts'
import type { Looked } from './check-tables.ts'
import type { Stretch } from './look-at-film.ts'

type Oddity = 'black' | 'frozen'

/** So dark that pictures may become black. */
const darkest = { brightness: -0.3, contrast: 0.5 } as const
const most = 0.4

/** Which oddities of a stretch the request itself explains. */
export function explainedIn(looked: Looked, stretch: Stretch): ReadonlySet<Oddity> {
  const { planned, film } = looked
  const { fadeIn, fadeOut, color, stabilize } = planned.context.job.options
  const { brightness = 0, contrast = 1, lutUrl } = color ?? {}
  const isFaded =
    meets(stretch, 0, fadeIn?.duration ?? 0) ||
    (fadeOut !== undefined &&
      meets(stretch, film.plan.durationSeconds - fadeOut.duration, film.plan.durationSeconds))
  const isDark =
    lutUrl !== undefined || brightness < darkest.brightness || contrast < darkest.contrast
  // Where the crop or the hand of the camera is followed, what moves may lie outside.
  const isHeld = stabilize || planned.clips.some(({ seen }) => seen)
  const isCovered = isFaded || coversMost(looked, stretch)
  return new Set([
    ...(isCovered || isDark ? (['black'] as const) : []),
    ...(isCovered || isHeld ? (['frozen'] as const) : []),
  ])
}

function meets({ from, to }: Stretch, start: number, end: number): boolean {
  return from < end && start < to
}

/** Whether pictures of elements may cover so much that what is seen is theirs. */
function coversMost({ planned, film: { plan } }: Looked, stretch: Stretch): boolean {
  const { context, elementMedia, shaped } = planned
  const { frame } = shaped
  const begun = plan.excerpt?.start ?? 0
  const below = { ...planned, ...plan, frame, durationSeconds: begun + plan.durationSeconds }
  const areas = (context.job.options.elements ?? []).map((element, index) => {
    const media = elementMedia[index]
    if (element.type === 'audio' || element.type === 'blur' || element.type === 'text') return 0
    if (!media || media.facts.kind === 'sound') return 0
    const film = { ...below, colorMatrix: 'bt709' } as const
    const visual = { ...media, facts: media.facts }
    const judged = placeElement({ index, element, media: visual }, film)
    if (!('placed' in judged)) return 0
    const { placed } = judged
    if (!meets(stretch, placed.span.start - begun, placed.span.end - begun)) return 0
    return placed.size.width * placed.size.height
  })
  return areas.reduce((sum, area) => sum + area, 0) > most * frame.width * frame.height
}

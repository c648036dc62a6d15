import type { Check } from '../../../worker/contract/job/check.ts'
import type { TextElement } from '../../../worker/contract/options/elements/text-element.ts'
import { layOut, type Rect, type Size } from '../../../worker/contract/layout/element-layout.ts'
import { elementSpan } from '../../render/elements/element-timing.ts'
import { turnedBox } from '../../render/elements/give-outline.ts'
import type { CaptionTrack } from '../../text/caption-track.ts'
import { passed, say, type Looked, failedAt, asDoubt } from './check-tables.ts'

/** Televisions and apps cover whatever lies nearer to an edge than this share of a side. */
export const edgeShare = 0.05
/** The picture of a text has this margin for letters that reach beyond their place. */
const marginShare = 0.015

/** Whether texts and captions are placed where every screen shows them. */
export function checkTitleSafe(looked: Looked): Check {
  const name = 'title-safe'
  const { captions, context } = looked.planned
  const { elements = [] } = context.job.options
  const texts = elements.flatMap((element, i) => (element.type === 'text' ? [{ element, i }] : []))
  if (texts.length === 0 && !captions) return passed(name, 'No texts lie over its pictures.')
  const outside = [
    ...texts.flatMap(({ element, i }) => textOutside(looked, element, i)),
    ...(captions ? captionsOutside(looked, captions) : []),
  ]
  const [first] = outside
  if (!first)
    return passed(name, 'Its texts lie in the 90 % of the picture that every screen shows.')
  const { what, stretch } = first
  const more = outside.length > 1 ? ` and ${outside.length - 1} more` : ''
  const { from, to } = stretch
  const told = `${what}${more} lies at the edge, which some screens cover: at ${say(from)} s.`
  return asDoubt(failedAt(name, told, from, to))
}

function textOutside({ planned, film: { plan } }: Looked, element: TextElement, i: number) {
  const { frame } = planned.shaped
  const facts = planned.elementMedia[i]?.facts
  const begun = plan.excerpt?.start ?? 0
  const durationSeconds = begun + plan.durationSeconds
  const span = elementSpan(element, { ...planned, durationSeconds })
  if (facts?.kind !== 'still' || !span || span.end <= begun) return []
  const { width, height } = facts
  const natural = { width, height }
  const { position, rotation = 0 } = element
  const layout = layOut({ natural, frame, size: natural, position, grid: 1, isWhole: true })
  if (!layout) return []
  const box = rotation % 360 === 0 ? natural : turnedBox(natural, rotation)
  const at = {
    x: layout.at.x - (box.width - width) / 2,
    y: layout.at.y - (box.height - height) / 2,
  }
  if (isInside({ ...at, ...box }, frame)) return []
  const stretch = { from: Math.max(0, span.start - begun), to: span.end - begun }
  return [{ what: `elements[${i}] (a text)`, stretch }]
}

/** Captions have the times of the whole film, of which a result may show a part. */
function captionsOutside({ planned, film: { plan } }: Looked, { captions, look }: CaptionTrack) {
  const { frame } = planned.shaped
  const begun = plan.excerpt?.start ?? 0
  const end = begun + plan.durationSeconds
  const out = captions.find(({ lines, startTime, endTime, top }) => {
    if (endTime <= begun || startTime >= end) return false
    const width = Math.max(...lines.map((line) => line.width))
    const height = lines.length * look.lineHeight * look.fontSize
    const place = { x: (frame.width - width) / 2, y: top ?? look.topOf(lines.length) }
    return !isInside({ ...place, width, height }, frame)
  })
  if (!out) return []
  const [from, to] = [Math.max(begun, out.startTime), Math.min(end, out.endTime)]
  return [{ what: 'A caption', stretch: { from: from - begun, to: to - begun } }]
}

function isInside({ x, y, width, height }: Rect, frame: Size): boolean {
  const margin = marginShare * Math.min(frame.width, frame.height)
  const [across, down] = [frame.width, frame.height].map((side) => edgeShare * side - margin)
  return (
    x >= (across ?? 0) &&
    y >= (down ?? 0) &&
    x + width <= frame.width - (across ?? 0) &&
    y + height <= frame.height - (down ?? 0)
  )
}

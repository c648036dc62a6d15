import type { Element } from '../../../worker/contract/options/elements/elements.ts'
import { isBuiltInFont } from '../../../worker/contract/options/captions/fonts.ts'
import type { TextElement } from '../../../worker/contract/options/elements/text-element.ts'
import { runGraph } from '../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { drawText } from '../../render/captions/draw-text.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'
import type { ElementMedia } from '../../render/elements/open-element.ts'
import { planText } from '../../render/captions/text-picture.ts'
import type { JobContext } from '../job-context.ts'
import { textStepMs, type TextFonts } from './text-fonts.ts'

/** Longer than ffmpeg takes to start and to draw the largest picture of a text. */
const drawStepMs = 60_000

type DrawnTexts = {
  /** By the index of the element. */
  readonly media: ReadonlyMap<number, ElementMedia>
  readonly warnings: readonly string[]
}

type TextsToDraw = {
  readonly elements: readonly Element[] | undefined
  readonly frame: Size
  /** Distinguishes the pictures of several outputs. */
  readonly suffix?: string
}

/** Draws every text element as a picture in the job folder, which is then laid over the video like any image. */
export async function drawTexts(
  { tools, during }: Pick<JobContext, 'tools' | 'during'>,
  { elements = [], frame, suffix = '' }: TextsToDraw,
  fonts: TextFonts,
): Promise<DrawnTexts> {
  const media = new Map<number, ElementMedia>()
  const warnings: string[] = []
  for (const [index, element] of elements.entries()) {
    if (element.type !== 'text') continue
    const field = element.font === undefined || isBuiltInFont(element.font) ? 'text' : 'font'
    const step = {
      field: `elements[${index}].${field}`,
      doing: 'setting the text',
      mostMs: textStepMs,
    }
    const set = await during(step, async () => setOne({ index, element, frame }, fonts))
    const drawing = { ...step, doing: 'drawing the text', mostMs: drawStepMs }
    const found = await during(drawing, async () =>
      drawOne(tools, `text${index}${suffix}`, index, set),
    )
    warnings.push(...found.warnings)
    if (found.media) media.set(index, found.media)
  }
  return { media, warnings }
}

type PlannedText = ReturnType<typeof planText>
async function setOne(
  { index, element, frame }: { index: number; element: TextElement; frame: Size },
  fonts: TextFonts,
): Promise<PlannedText> {
  const field = `elements[${index}].font`
  const lettering = await fonts.lettering(element.font, field, element.text)
  const planned = planText(element, { index, frame, lettering })
  if (planned.drawn) await fonts.lay(planned.drawn.families)
  return planned
}

async function drawOne(
  tools: ToolContext,
  name: string,
  index: number,
  { drawn, warnings }: PlannedText,
): Promise<{ media?: ElementMedia; warnings: readonly string[] }> {
  if (!drawn) {
    const nothing = `elements[${index}] was left out: nothing of its text can be shown.`
    return { warnings: [...warnings, nothing] }
  }
  await runGraph(tools, drawText(drawn, name))
  const { width, height } = drawn
  const facts = { kind: 'still', demuxer: 'png_pipe', width, height, hasAlpha: true } as const
  return { media: { path: `${name}.png`, facts }, warnings }
}

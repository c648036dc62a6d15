import type { Element } from '../../worker/contract/elements.ts'
import type { TextElement } from '../../worker/contract/text-element.ts'
import { runFfmpeg } from '../ffmpeg/run-ffmpeg.ts'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import { drawText } from '../render/draw-text.ts'
import type { Size } from '../render/element-layout.ts'
import type { ElementMedia } from '../render/open-element.ts'
import { planText } from '../render/text-picture.ts'
import type { TextFonts } from './text-fonts.ts'

export type DrawnTexts = {
  /** By the index of the element. */
  readonly media: ReadonlyMap<number, ElementMedia>
  readonly warnings: readonly string[]
}

/** Draws every text element as a picture in the job folder, which is then laid over the video like any image. */
export async function drawTexts(
  tools: ToolContext,
  { elements = [], frame }: { elements: readonly Element[] | undefined; frame: Size },
  fonts: TextFonts,
): Promise<DrawnTexts> {
  const media = new Map<number, ElementMedia>()
  const warnings: string[] = []
  for (const [index, element] of elements.entries()) {
    if (element.type !== 'text') continue
    const found = await drawOne(tools, { index, element, frame }, fonts)
    warnings.push(...found.warnings)
    if (found.media) media.set(index, found.media)
  }
  return { media, warnings }
}

type Request = { index: number; element: TextElement; frame: Size }

async function drawOne(
  tools: ToolContext,
  { index, element, frame }: Request,
  fonts: TextFonts,
): Promise<{ media?: ElementMedia; warnings: readonly string[] }> {
  const field = `elements[${index}].font`
  const lettering = await fonts.lettering(element.font, field, element.text)
  const { drawn, warnings } = planText(element, { index, frame, lettering })
  if (!drawn) {
    const nothing = `elements[${index}] was left out: nothing of its text can be shown.`
    return { warnings: [...warnings, nothing] }
  }
  await fonts.lay(drawn.families)
  const name = `text${index}`
  await runFfmpeg(tools, drawText(drawn, { name, ...tools }), () => undefined)
  const { width, height } = drawn
  const facts = { kind: 'still', demuxer: 'png_pipe', width, height, hasAlpha: true } as const
  return { media: { path: `${name}.png`, facts }, warnings }
}

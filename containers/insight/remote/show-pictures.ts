import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { AnalysisSubject } from '../analysis-provider.ts'
import { encodeJpegs } from '../frames/encode-jpegs.ts'
import { sampleFrames } from '../frames/sample-frames.ts'
import { writePrompt } from './write-prompt.ts'

/** Only a few small pictures leave the machine. */
const sampling = { maxPixels: 400_000, maxEnlargement: 1, maxFrames: 8 }

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

export type Message =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: readonly Part[] }

/**
 * Writes the chat messages that show a model the video. The pictures are part of them, so the provider gets no address.
 */
export async function showPictures(
  tools: ToolContext,
  subject: AnalysisSubject,
): Promise<Message[]> {
  const { frames } = await sampleFrames(tools, subject.video, sampling)
  const jpegs = await encodeJpegs(tools, frames)
  const { system, user } = writePrompt(subject, jpegs.length)
  const pictures = jpegs.map((jpeg): Part => ({
    type: 'image_url',
    image_url: { url: `data:image/jpeg;base64,${jpeg.toString('base64')}` },
  }))
  return [
    { role: 'system', content: system },
    { role: 'user', content: [{ type: 'text', text: user }, ...pictures] },
  ]
}

import { colorDistance, type Frame, type Rgb } from './frame-pixels.ts'
import { renderVideo, type RenderedVideo } from './render-video.ts'
import { expect } from 'vitest'

type Asked = Record<string, unknown> & { file: string; type?: string }

/** Renders one video with elements, each given with its file; images when no type is said. */
export async function overlay(
  source: string,
  asked: readonly Asked[],
  options: Record<string, unknown> = {},
): Promise<RenderedVideo> {
  const url = 'https://media.example/element'
  const files = asked.map(({ file }) => file)
  const elements = asked.map((one) => ({ type: 'image', url, ...one, file: undefined }))
  const plain = JSON.parse(JSON.stringify(elements)) as unknown
  return renderVideo([{ file: source }], { ...options, elements: plain }, files)
}

/** Coded colours bleed by a few steps where two of them meet. */
export function expectColor(
  frame: Frame | undefined,
  at: readonly [number, number],
  color: Rgb,
): void {
  expect(colorDistance(frame?.at(...at) ?? [999, 999, 999], color), at.join()).toBeLessThan(12)
}

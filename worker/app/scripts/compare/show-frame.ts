import { around, type SceneFrame } from '../../videos/frame.ts'

/** Draws on the source what the result shows of it at that moment. */
export function showFrame(frames: readonly SceneFrame[]): (second: number) => void {
  const part = document.querySelector('.part')
  let drawn: SceneFrame | undefined
  return (second) => {
    const scene = frames.findLast(([from]) => from <= second + 0.01) ?? frames[0]
    if (!part || scene === drawn) return
    drawn = scene
    const [, frame] = scene ?? []
    part.classList.toggle('none', frame === undefined)
    if (!frame) return
    part.querySelector('.outside')?.setAttribute('d', around(frame))
    for (const [side, value] of Object.entries(frame))
      part.querySelector('.frame')?.setAttribute(side, String(value))
  }
}

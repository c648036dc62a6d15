import type { CutsSettings } from './settings.ts'

/** A kind of footage: how its pictures are drawn and coded. */
export type Footage = {
  readonly name: string
  readonly fps: number
  readonly source: (size: string, seconds: number) => string
  readonly coding: readonly string[]
}

const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p']

export const footages: readonly Footage[] = [
  {
    // Moving detail and noise; a key picture every two seconds, reordered pictures.
    name: 'camera',
    fps: 30,
    source: (size, seconds) => `testsrc2=s=${size}:r=30:d=${seconds},noise=alls=5:allf=t`,
    coding: [...h264, '-crf', '21', '-g', '60', '-bf', '3'],
  },
  {
    // As phones write it: a key picture every second, nothing reordered.
    name: 'phone',
    fps: 30,
    source: (size, seconds) =>
      `testsrc2=s=${size}:r=30:d=${seconds},rotate=0.1*t,noise=alls=3:allf=t`,
    coding: [...h264, '-crf', '23', '-g', '30', '-bf', '0', '-profile:v', 'baseline'],
  },
  {
    // Hardly anything moves, and a key picture comes only every eight seconds or so.
    name: 'screen',
    fps: 25,
    source: (size, seconds) => `smptehdbars=s=${size}:r=25:d=${seconds}`,
    coding: [...h264, '-crf', '18', '-g', '200', '-bf', '3'],
  },
]

/** Parts of about four seconds, never at a key picture. */
export function partsToCut({ seconds, cuts }: CutsSettings, fps: number) {
  const every = seconds / cuts
  return Array.from({ length: cuts }, (_, i) => {
    const from = Math.round((i + 0.37) * every * fps) + 1
    return { from, to: from + Math.round(Math.min(4, every / 3) * fps) }
  })
}

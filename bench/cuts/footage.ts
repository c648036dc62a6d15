import type { ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { ffmpeg } from '../tools-in.ts'

const fps = 30

/** A kind of footage: how its pictures are drawn and coded. */
export type Footage = {
  readonly name: string
  /** The filters that follow the test picture. */
  readonly looks: string
  readonly coding: readonly string[]
  /** Which pictures of the steady rate are missing: those whose number leaves `rest` when divided by `by`. */
  readonly dropped?: { readonly by: number; readonly rest: number }
}

const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p']
const turned = ['-metadata:s:v', 'rotate=90']

export const footages: readonly [Footage, Footage] = [
  {
    // Moving detail and noise; a key picture every two seconds, reordered pictures.
    name: 'camera',
    looks: 'noise=alls=5:allf=t',
    coding: [...h264, '-crf', '21', '-g', '60', '-bf', '3'],
  },
  {
    // As phones write it: a key picture every second, nothing reordered, a variable rate, turned by a tag.
    name: 'phone',
    looks: "rotate=0.1*t,noise=alls=3:allf=t,select='not(eq(mod(n,10),3))'",
    coding: [...h264, '-crf', '23', '-g', '30', '-bf', '0', '-profile:v', 'baseline', ...turned],
    dropped: { by: 10, rest: 3 },
  },
]

/** Draws and codes a film of 16:9 with this many lines. */
export async function drawFilm(
  tools: ToolContext,
  { looks, coding }: Footage,
  { name, seconds, lines }: { name: string; seconds: number; lines: number },
): Promise<void> {
  const size = `${Math.round((lines * 16) / 18) * 2}x${lines}`
  const drawn = `testsrc2=s=${size}:r=${fps}:d=${seconds},${looks}`
  const picture = ['-f', 'lavfi', '-i', drawn, '-fps_mode', 'vfr']
  await ffmpeg(tools, [...picture, ...coding, '-f', 'mp4', name])
}

/** Five parts of about four seconds; none begins at a key picture or at a missing one. */
export function partsToCut(seconds: number, { dropped }: Footage) {
  const cuts = 5
  const every = seconds / cuts
  const present = (at: number): number =>
    dropped && at % dropped.by === dropped.rest ? at + 1 : at
  return Array.from({ length: cuts }, (_, i) => {
    // Each has another length, so that they begin at different places of a group.
    const from = Math.round((i + 0.37) * every * fps) + 1 + 7 * i
    const to = from + Math.round(Math.min(4, every / 3) * fps)
    return { startTime: present(from) / fps, endTime: present(to) / fps }
  })
}

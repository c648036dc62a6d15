import type { Clip, Clips } from './clip.ts'

export async function changeClips(
  clips: Clips,
  change: (clip: Clip, index: number) => Promise<Clip>,
): Promise<Clips> {
  const [first, ...others] = clips
  const changed: [Clip, ...Clip[]] = [await change(first, 0)]
  for (const [i, clip] of others.entries()) changed.push(await change(clip, i + 1))
  return changed
}

export function mapClips(
  [first, ...others]: Clips,
  change: (clip: Clip, index: number) => Clip,
): Clips {
  return [change(first, 0), ...others.map((clip, i) => change(clip, i + 1))]
}

export function lengthOfClip({ facts }: Clip): number {
  return facts.video.endSeconds
}

/** Examines one clip after another, and reports progress as a share of the seconds of all of them. */
export async function lookAtClips(
  clips: Clips,
  onProgress: (share: number) => void,
  look: (clip: Clip, index: number, onSeconds: (seconds: number) => void) => Promise<Clip>,
): Promise<Clips> {
  const total = clips.reduce((sum, clip) => sum + lengthOfClip(clip), 0)
  let before = 0
  return changeClips(clips, async (clip, i) => {
    const begun = before
    before += lengthOfClip(clip)
    return look(clip, i, (seconds) =>
      onProgress(Math.min(1, (begun + seconds) / Math.max(total, 0.001))),
    )
  })
}

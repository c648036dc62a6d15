import type { MediaFacts } from '../timeline/media-facts.ts'

/** For a source that should look the same in another codec: how many bytes of picture and sound are enough. */
export type SameLook = {
  readonly enoughBytes: number
  readonly pictureSeconds: number
  /** Below this quality a difference can be seen; only poorly encoded sources come near it. */
  readonly leastQuality: number
}

/**
 * How many times as many bytes H.264 needs for the same look; codecs that are not listed need no more than they have.
 */
const neededShares: Readonly<Record<string, number>> = {
  av1: 2,
  hevc: 1.8,
  vp9: 1.8,
  h264: 1.6,
  vp8: 1.6,
}
/** The share of H.264's bytes that VP9 needs for the same look. */
const webmShare = 0.7
/** Headers and tables. */
const spareBytes = 20_000

export function sameLook(facts: MediaFacts, format: string, audioBits: number): SameLook {
  const { video, audio, sizeBytes, durationSeconds } = facts
  const heardBits = audio?.bitRate ?? 0
  const seenBytes =
    video.bitRate === undefined
      ? Math.max(0, sizeBytes - (heardBits * durationSeconds) / 8)
      : (video.bitRate * video.endSeconds) / 8
  const share = (neededShares[video.codec] ?? 1) * (format === 'webm' ? webmShare : 1)
  const pictureBytes = seenBytes * Math.max(1, share)
  const soundBytes = (audioBits * durationSeconds) / 8
  return {
    enoughBytes: Math.round(pictureBytes + soundBytes + spareBytes),
    pictureSeconds: video.endSeconds,
    leastQuality: format === 'webm' ? leastQualities.vp9 : leastQualities.h264,
  }
}

/** Footage that was coded poorly itself comes down to these: 0.98 like its source still, in structural similarity. */
const leastQualities = { h264: 61, vp9: 50 } as const
/** The factor by which a result grows from one quality to the next. */
const growth = 1.031

/**
 * Estimates the quality that takes about enough bytes. The try at the best quality took `sizeBytes` for its first
 * `seconds`: slightly more than allowed, because a stopped encoder still writes its buffered pictures.
 */
export function qualityOfSameLook(
  look: SameLook,
  { sizeBytes, seconds }: { sizeBytes: number; seconds: number },
): number {
  const reached = Math.max(0.001, Math.min(1, seconds / look.pictureSeconds))
  const share = (look.enoughBytes / sizeBytes) * reached
  return Math.max(
    look.leastQuality,
    Math.min(99, Math.round(100 + Math.log(share) / Math.log(growth))),
  )
}

/**
 * A sound needs at most half as much again as it had, in any codec; if its rate is unknown, at most the size of the
 * whole file.
 */
export function soundBitsOfSource({ audio, sizeBytes, durationSeconds }: MediaFacts): number {
  const wholeBits = (sizeBytes * 8) / Math.max(durationSeconds, 0.04)
  const had = Math.min(audio?.bitRate ?? wholeBits, wholeBits)
  return Math.max(leastSoundBits, had * 1.5)
}

const leastSoundBits = 96_000

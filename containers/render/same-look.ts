import type { MediaFacts } from '../timeline/media-facts.ts'

/** For a source that is to look the same in another codec: the bytes of picture and sound that are enough for it. */
export type SameLook = {
  readonly enoughBytes: number
  readonly pictureSeconds: number
  /** From here down a difference can be seen. */
  readonly leastQuality: number
}

/** As many bytes as H.264 needs for the same look; what is not named needs no more than it has. */
const neededShares: Readonly<Record<string, number>> = {
  av1: 2,
  hevc: 1.8,
  vp9: 1.8,
  h264: 1.6,
  vp8: 1.6,
}
/** VP9 keeps the same look in that much of what H.264 needs. */
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
/** What a result grows by from one quality to the next. */
const growth = 1.031

/**
 * The quality that takes about enough bytes. The try at the best quality had taken `sizeBytes` for its first `seconds`, a
 * little more than it was allowed, because an encoder that is stopped still writes what it holds back.
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

/** A sound needs no more than half as much again as it had, in whatever codec; where nothing is known, no more than all. */
export function soundBitsOfSource({ audio, sizeBytes, durationSeconds }: MediaFacts): number {
  const wholeBits = (sizeBytes * 8) / Math.max(durationSeconds, 0.04)
  const had = Math.min(audio?.bitRate ?? wholeBits, wholeBits)
  return Math.max(leastSoundBits, had * 1.5)
}

const leastSoundBits = 96_000

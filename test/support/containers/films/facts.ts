import type {
  AudioFacts,
  MediaFacts,
  VideoFacts,
} from '../../../../containers/timeline/media-facts.ts'
import { progressiveScan } from '../../../../containers/timeline/scan-facts.ts'

type Changes = Partial<Omit<MediaFacts, 'video' | 'audio'>> & {
  video?: Partial<VideoFacts>
  audio?: Partial<AudioFacts> | null
}

/** An ordinary measured clip: 320 × 240, H.264 and AAC in MP4, 25 pictures a second, 4 seconds. */
export function someFacts({ video, audio, ...changes }: Changes = {}): MediaFacts {
  return {
    format: 'mp4',
    sizeBytes: 100_000,
    durationSeconds: 4,
    video: {
      index: 0,
      codec: 'h264',
      pixelFormat: 'yuv420p',
      width: 320,
      height: 240,
      hasSquarePixels: true,
      isTurned: false,
      ownTurn: undefined,
      scan: progressiveScan,
      isFullRange: false,
      colorMatrix: 'bt601',
      isMatrixTagged: true,
      hasAlpha: false,
      transfer: 'sdr',
      dolbyVisionProfile: undefined,
      frameRate: { frames: 25, seconds: 1 },
      averageFps: 25,
      hasConstantRate: true,
      hasGaps: false,
      endSeconds: 4,
      beginSeconds: 0,
      lateSeconds: 0,
      bitRate: undefined,
      ...video,
    },
    audio:
      audio === null
        ? undefined
        : { index: 1, codec: 'aac', sampleRate: 48_000, channels: 2, bitRate: 128_000, ...audio },
    ...changes,
  }
}

import type { CreateVideo, Video } from '../../client/src/api-types.ts'
import type { SoundMeasures } from './measure-sound.ts'

export type Cut = { startTime: number; endTime: number; resultTime: number }

export type Word = { startTime: number; endTime: number; text: string }

export type Phase = { name: string; startSeconds: number; seconds: number }

/** One of the ways in which the clip was sent through the service. */
export type Made = {
  key: string
  title: string
  about: string
  request: CreateVideo
  video: Video
  /** The file beside the page. */
  file: string
}

/** Everything that the page shows. */
export type DemoData = {
  madeAt: string
  before: { file: string; sizeInBytes: number; sound: SoundMeasures }
  after: { sound: SoundMeasures; cuts: Cut[]; words: Word[]; phases: Phase[]; poster?: string }
  /** The first is the one that is compared. */
  made: Made[]
  /** Undefined where the service cannot reach this machine. */
  webhook: { id: string; type: string; signature: string } | undefined
}

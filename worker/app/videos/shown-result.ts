import { isHls } from '../../contract/options/outputs/output-hls.ts'
import { isMoving } from '../../contract/options/outputs/output-pictures.ts'
import { isFilm, isSound } from '../../contract/options/outputs/outputs.ts'
import type { ShownOutput, VideoRecord } from '../../contract/video/video-record.ts'

/** The result that a page shows beside its source. */
export type ShownResult = {
  readonly kind: 'film' | 'stream' | 'picture' | 'sound'
  readonly url: string
  /** The sound of a stream, whose sizes are silent. */
  readonly soundUrl?: string | undefined
  /** Undefined if the request names no outputs. */
  readonly output?: ShownOutput | undefined
}

/** The first film; without one, the first stream, moving picture or sound. Undefined if none of them is stored any more. */
export function shownResult({ finalVideoUrl, outputs = [] }: VideoRecord): ShownResult | undefined {
  const kept = outputs.filter(({ url }) => url !== undefined)
  if (finalVideoUrl !== undefined) {
    const output = kept.find(({ outputFormat }) => isFilm(outputFormat))
    return { kind: 'film', url: finalVideoUrl, output }
  }
  const stream = kept.find(({ outputFormat }) => isHls(outputFormat))
  const [largest] = partsOf(stream, /^v\d+\.mp4$/)
  if (largest !== undefined) {
    const [soundUrl] = partsOf(stream, /^audio\.mp4$/)
    return { kind: 'stream', url: largest, soundUrl, output: stream }
  }
  const picture = kept.find(({ outputFormat }) => isMoving(outputFormat))
  if (picture?.url !== undefined) return { kind: 'picture', url: picture.url, output: picture }
  const sound = kept.find(({ outputFormat }) => isSound(outputFormat))
  return sound?.url === undefined ? undefined : { kind: 'sound', url: sound.url, output: sound }
}

/** The files of a stream that match, largest size first. Browsers play each size as a film, but only some of them its playlists. */
function partsOf(stream: ShownOutput | undefined, name: RegExp): string[] {
  return (stream?.files ?? []).flatMap(({ file, url }) => (name.test(file) && url ? [url] : []))
}

import type { MediaFacts } from '../timeline/media-facts.ts'
import type { Clip } from '../timeline/clip.ts'
import { soundOf } from '../sound/standard-sound.ts'

/**
 * Warns about changes of sources that nobody asked for. `channels` is the number of channels in the result, if its
 * sound is encoded.
 */
export function sourceWarnings(
  clips: readonly Clip[],
  channels: number | undefined,
  picture: 'copy' | 'encode',
): string[] {
  const nameOf = (i: number): string => (clips.length === 1 ? 'The source' : `files[${i}]`)
  const cutOff = clips.flatMap(({ facts }, i) => [
    ...cutOffWarning(facts, nameOf(i)),
    ...(picture === 'copy' ? fieldsWarning(facts, nameOf(i)) : []),
  ])
  const heard = clips.map((clip) => soundOf(clip)?.channels ?? 0)
  const most = Math.max(...heard)
  if (channels === undefined || most <= channels) return cutOff
  const name = nameOf(heard.indexOf(most))
  const became = channels === 2 ? 'stereo' : `${channels} channels`
  return [...cutOff, `${name} has sound in ${most} channels; it was mixed into ${became}.`]
}

function cutOffWarning({ promisedSeconds, durationSeconds }: MediaFacts, name: string): string[] {
  if (promisedSeconds === undefined) return []
  const [promised, read] = [promisedSeconds, durationSeconds].map(
    (seconds) => Math.round(seconds * 10) / 10,
  )
  return [`${name} says that it lasts ${promised} s; only ${read} s of it could be read.`]
}

/** A source at quality 100 is not changed, but most players show combs on interlaced pictures. */
function fieldsWarning({ video }: MediaFacts, name: string): string[] {
  if (video.scan.kind === 'progressive') return []
  return [
    `${name} is interlaced, and stays so, because compressionQuality 100 copies it. Below 100 it is deinterlaced.`,
  ]
}

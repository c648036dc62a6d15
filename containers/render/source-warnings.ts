import type { MediaFacts } from '../timeline/media-facts.ts'
import type { Clip } from '../timeline/clip.ts'
import { soundOf } from '../sound/standard-sound.ts'

/** What became of sources without being asked for. `channels` are those of the result, where its sound is coded anew. */
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

/** Nothing is changed of an original that is to stay as it is; but most players show its fields as combs. */
function fieldsWarning({ video }: MediaFacts, name: string): string[] {
  if (video.scan.kind === 'progressive') return []
  return [
    `${name} is interlaced, and stays so, because compressionQuality 100 copies it. Below 100 it is deinterlaced.`,
  ]
}

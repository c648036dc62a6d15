import { speakersAsked } from '../../../contract/options/speakers.ts'
import type { ShownVideo } from '../../../store/tables/tables.ts'
import type { Request } from './build-request.ts'

/** The request of a video with the names that its speakers were given since, in the order in which they first speak. */
export function asNamed(
  request: Request,
  { request: former, transcript }: Pick<ShownVideo, 'request' | 'transcript'>,
): Request {
  const names = transcript?.renamed?.names
  const asked = speakersAsked(former)
  if (!names || !asked) return request
  const nameNow = (heard: string) =>
    (Object.hasOwn(names, heard) ? names[heard] : undefined) ?? heard
  const placed = Object.keys(names).flatMap((heard) => {
    const numbered = /^Speaker ([1-9]\d?)$/.exec(heard)
    const place = asked.names.indexOf(heard)
    return place >= 0 ? [place] : numbered ? [Number(numbered[1]) - 1] : []
  })
  const count = Math.max(asked.names.length, ...placed.map((place) => place + 1))
  const all = Array.from({ length: count }, (_, i) => nameNow(asked.names[i] ?? `Speaker ${i + 1}`))
  const { keepSpeakers, removeSpeakers } = former
  const renamed = (list: readonly string[]) => [...new Set(list.map(nameNow))]
  return {
    ...request,
    speakers: { ...(asked.count !== undefined && { count: asked.count }), names: all },
    ...(keepSpeakers && { keepSpeakers: renamed(keepSpeakers) }),
    ...(removeSpeakers && { removeSpeakers: renamed(removeSpeakers) }),
  }
}

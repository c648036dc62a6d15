import { suggestedName } from '../../../contract/options/outputs/outputs.ts'
import type { ShownVideo } from '../../../store/tables/tables.ts'
import { type Choices, leaveOut } from './build-request.ts'
import { type AskedScene, reframeModes } from '../../../contract/options/picture/reframe.ts'
import { speakersAsked } from '../../../contract/options/speakers.ts'
import type { Timed } from '../../../contract/layout/word-left.ts'

/** Options of the whole video that a request for one clip drops. */
const ofTheWhole = ['suggestClips', 'clips', 'chapters', 'outputs', 'keepSegments'] as const

/** Options that shift the times of the finished film against those of its source, or whose own values are such times. */
const counting: readonly (keyof ShownVideo['request'])[] = [
  ...(['files', 'elements', 'trim', 'speed', 'keepSegments', 'keepText', 'keepSpeakers'] as const),
  ...([
    'removeSegments',
    'removeText',
    'removeSpeakers',
    'removeFillers',
    'removeSilence',
  ] as const),
]

/**
 * The request for one of the clips suggested in a video: upright and with captions, as most people want it. Undefined if no
 * such clip was suggested.
 */
export function asClip(
  request: Choices,
  { request: former, result }: Pick<ShownVideo, 'request' | 'result'>,
  place: number,
): Choices | undefined {
  const { clips = [] } = result?.moments ?? {}
  const clip = clips[place - 1]
  if (!clip) return undefined
  const { title, startTime, endTime } = clip
  const { aspectRatio, captions = {} } = former
  // With two people far apart, both would be outside the middle of the picture.
  const isUnshaped = aspectRatio === 'original'
  const shape = { aspectRatio: '9:16', ...(isUnshaped && { resizeMode: 'follow' }) }
  const look = { videoName: title, ...shape, captions }
  const shared = { ...leaveOut(request, ...ofTheWhole), ...look }
  const isUncut = !counting.some((name) => [former[name]].flat().some(Boolean))
  if (former.analyzeOnly || isUncut) {
    const keepSegments = without({ startTime, endTime }, former.removeSegments ?? [])
    return { ...leaveOut(shared, 'removeSegments'), keepSegments }
  }
  // The clip's times count in the film that the same cuts leave.
  const { keepSegments } = former
  const duration = Math.round((endTime - startTime) * 1_000) / 1_000
  const outputs = [{ name: suggestedName(place - 1), startTime, duration }]
  return { ...shared, outputs, ...(keepSegments && { keepSegments }) }
}

/** The parts of a span that are not removed. */
function without({ startTime, endTime }: Timed, removed: readonly Timed[]): Timed[] {
  const holes = removed.toSorted((a, b) => a.startTime - b.startTime)
  const left: Timed[] = []
  let from = startTime
  for (const hole of holes) {
    left.push({ startTime: from, endTime: Math.min(hole.startTime, endTime) })
    from = Math.max(from, hole.endTime)
  }
  return [...left, { startTime: from, endTime }].filter((one) => one.startTime < one.endTime)
}

/** The request of a video with the frame moved, as its page sends it: `mode0=crop&x0=30`. */
export function asFramed(
  request: Choices,
  { request: former, result }: Pick<ShownVideo, 'request' | 'result'>,
  asked: Readonly<Record<string, string | undefined>>,
): Choices {
  const [x, y] = [percentIn(asked['crop-x']), percentIn(asked['crop-y'])]
  if (x !== undefined && y !== undefined && former.crop)
    return { ...request, crop: { ...former.crop, x: `${x}%`, y: `${y}%` } }
  const changed = (result?.reframed?.scenes ?? []).flatMap((scene, i): AskedScene[] => {
    const { startTime, endTime } = scene
    const mode = reframeModes.find((one) => one === asked[`mode${i}`]) ?? scene.mode
    const sides = (['x', 'y'] as const).flatMap((side) => {
      const value = percentIn(asked[`${side}${i}`])
      return value === undefined ? [] : [[side, value] as const]
    })
    const isMoved = mode === 'crop' && sides.some(([side, value]) => value !== (scene[side] ?? 50))
    if (mode === scene.mode && !isMoved) return []
    const place = Object.fromEntries(sides.map(([side, value]) => [side, `${value}%`]))
    return [{ startTime, endTime, mode, ...(mode === 'crop' && place) }]
  })
  if (changed.length === 0) return request
  const others = (former.reframe?.scenes ?? []).filter(
    (one) =>
      !changed.some((scene) => one.startTime < scene.endTime && one.endTime > scene.startTime),
  )
  const scenes = [...others, ...changed].toSorted((a, b) => a.startTime - b.startTime)
  return { ...request, reframe: { scenes } }
}

function percentIn(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? NaN : Number(text)
  return value >= 0 && value <= 100 ? value : undefined
}

/** The request of a video with the names that its speakers have been given since, in the order in which they first speak. */
export function asNamed(
  request: Choices,
  { request: former, transcript }: Pick<ShownVideo, 'request' | 'transcript'>,
): Choices {
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

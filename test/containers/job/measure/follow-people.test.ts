import { describe, expect, it } from 'vitest'
import '../../../../containers/models/model-thread.ts'
import { followSpeakers } from '../../../../containers/job/measure/follow-people.ts'
import { planScenes, type Scene } from '../../../../containers/render/frame/reframe-scenes.ts'
import type { VoiceDetector } from '../../../../containers/sound/pauses/voice-activity.ts'
import { talkingFilm, type TalkingFilm } from '../../../support/containers/films/talking-faces.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { keptTexts } from '../../../support/containers/kept-texts.ts'
import { measureHere, type Hearing } from '../../../support/containers/films/job-here.ts'

const follow = { aspectRatio: '9:16', resizeMode: 'follow' }

const swaying = (x: number, y: number, speed: number) => (seconds: number) =>
  [x + 8 * Math.sin(speed * seconds), y + 5 * Math.sin(1.3 * speed * seconds)] as const

/** Both sway a little. */
const conversation: TalkingFilm = {
  ...{ name: 'conversation', size: [640, 360], fps: 12.5, seconds: 12 },
  faces: [
    { portrait: 0, at: swaying(40, 120, 2), height: 110 },
    { portrait: 2, at: swaying(500, 120, 1.6), height: 110 },
  ],
  turns: [
    { who: 0, from: 0.6, to: 3.4 },
    { who: 1, from: 3.6, to: 6 },
    { who: 0, from: 6.3, to: 8.3 },
    { who: 1, from: 8.5, to: 10.8 },
  ],
  voices: ['docs/examples/speech.mp4'],
}

/** What was seen in a film is kept by its name. */
const texts = new Map<string, string>()

async function measured(film: TalkingFilm, options: object = follow, hearing?: Hearing) {
  const sources = [{ file: await talkingFilm(film) }]
  const remembered = { words: keptTexts(texts), hashes: [film.name] }
  const asked = { sources, options: { ...options }, hearing, remembered }
  return measureHere(await aToolContext(), asked)
}

async function seenIn(film: TalkingFilm) {
  const { clips } = await measured(film)
  const { seen } = clips[0]
  if (!seen?.voice) throw new Error('Nobody was seen or heard')
  const picture = { width: film.size[0], height: film.size[1] }
  return {
    clips,
    seen,
    voice: seen.voice,
    scenes: planScenes(seen.shots, [], { picture, ratio: 9 / 16 }),
  }
}

let known: ReturnType<typeof seenIn> | undefined
/** What two tests look at, seen once. */
const seenTalking = async () => (known ??= seenIn(conversation))

/** Where the middle of the crop is; undefined if it shows more than one. */
function middleAt(scenes: readonly Scene[], seconds: number): number | undefined {
  const scene = scenes.find(({ startSeconds, endSeconds }) => {
    return seconds >= startSeconds && seconds < endSeconds
  })
  const knots = scene?.mode === 'crop' ? scene.aims[0]?.across : undefined
  return knots?.findLast((knot) => knot.seconds <= seconds)?.at
}

describe('followPeople', () => {
  it('shows who speaks of two who do not fit in, for a second at least', async () => {
    const { scenes, voice } = await seenTalking()
    let [right, heard] = [0, 0]
    for (const { who, from, to } of conversation.turns) {
      for (let seconds = from; seconds < to; seconds += 0.04) {
        if ((voice.levels[Math.floor(seconds / voice.stepSeconds)] ?? 0) === 0) continue
        heard += 1
        const middle = middleAt(scenes, seconds)
        if (middle !== undefined && middle < 0.5 === (who === 0)) right += 1
      }
    }
    expect(heard).toBeGreaterThan(100)
    expect(right / heard).toBeGreaterThan(0.95)
    expect(scenes.filter(({ startSeconds, endSeconds }) => endSeconds - startSeconds < 1)).toEqual(
      [],
    )
  })

  it('shows both if neither of them is the one who is heard, although one of them chews', async () => {
    const turns = [{ who: 2, from: 1, to: 9 }]
    const [left, right] = conversation.faces
    const faces = [left, right && { ...right, chews: true }].flatMap((face) => face ?? [])
    const { scenes } = await seenIn({ ...conversation, name: 'told by a third', turns, faces })
    expect(scenes.map(({ mode }) => mode)).toEqual(['halves'])
  })

  it('shows both and tells of it if the voice detector fails', async () => {
    const faults: string[] = []
    const voices: VoiceDetector = {
      listen: () => ({
        grown: () => undefined,
        finish: async () => Promise.reject(new Error('Out of memory')),
        stop: async () => undefined,
      }),
    }
    const { clips } = await measured(conversation, follow, {
      ...{ voices, onFault: (fault) => faults.push(fault) },
    })
    expect(faults).toEqual([expect.stringContaining('Out of memory')])
    const { seen } = clips[0]
    const picture = { width: 640, height: 360 }
    const scenes = planScenes(seen?.shots ?? [], [], { picture, ratio: 9 / 16 })
    expect(scenes.map(({ mode }) => mode)).toEqual(['halves'])
  })

  it('looks for nobody in a film that has the shape already, and says so where no shape is asked for', async () => {
    const already = await measured(conversation, { aspectRatio: '16:9', resizeMode: 'follow' })
    const unshaped = await measured(conversation, { resizeMode: 'follow' })
    expect([already, unshaped].map(({ clips: [{ seen }] }) => seen)).toEqual([undefined, undefined])
    expect(already.textWarnings).toEqual([])
    expect(unshaped.textWarnings).toEqual([
      'resizeMode: nothing is followed, because no result has another shape. aspectRatio sets it, or both width and height of an output.',
    ])
  })

  it('does not listen where it was asked what is shown, and sees the same each time', async () => {
    const { seen } = await seenTalking()
    texts.clear()
    const shares: number[] = []
    const voices: VoiceDetector = {
      listen: () => {
        throw new Error('It listens')
      },
    }
    const scenes = [{ startTime: 0, endTime: conversation.seconds, mode: 'wide' }]
    const asked = { ...follow, reframe: { scenes } }
    const { clips } = await measured(conversation, asked, {
      ...{ voices, onProgress: (share) => shares.push(share) },
    })
    expect(clips[0].seen?.voice).toBeUndefined()
    expect(clips[0].seen?.shots[0]?.people).toHaveLength(2)
    const people = seen.shots.map((shot) => shot.people)
    expect(clips[0].seen?.shots.map((shot) => shot.people)).toEqual(people)
    expect(shares.length).toBeGreaterThan(10)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  })
})

describe('followSpeakers', () => {
  const person = (left: number, moved: (seconds: number) => number) =>
    Array.from({ length: 80 }, (_, i) => ({
      ...{ seconds: i / 4, left, right: left + 0.1, top: 0.3, bottom: 0.5 },
      mouth: { everySeconds: 0.08, moved: [0.08, 0.16, 0.24].map(() => moved(i / 4)) },
    }))
  /** The one on the right is only seen to speak until 10 s. */
  const shot = {
    ...{ startSeconds: 0, endSeconds: 20, looks: Array.from({ length: 80 }, (_, i) => i / 4) },
    people: [
      person(0.05, (seconds) => (seconds < 5 ? 0.8 : 0.05)),
      person(0.85, (seconds) => (seconds >= 5 && seconds < 10 ? 0.8 : 0.05)),
    ],
  }
  const said = (startTime: number, endTime: number, speaker: string) => {
    return { startTime, endTime, speaker, text: 'so', words: [{ startTime, endTime, text: 'so' }] }
  }

  it('knows the face of a voice when its mouth is not seen to move', async () => {
    const { clips } = await seenTalking()
    const picture = { width: 1920, height: 1080 }
    const voice = { stepSeconds: 0.1, levels: new Float32Array(200).fill(1) }
    const seen = { shots: [shot], asked: [], picture, beginSeconds: 2, voice }
    const segments = [
      said(2, 7, 'Ann'),
      said(7, 12, 'Ben'),
      said(12, 17, 'Ann'),
      said(17, 22, 'Ben'),
    ]
    const [told] = followSpeakers([{ ...clips[0], seen }], { language: 'en', segments })
    const turns = told.seen?.shots[0]?.turns ?? []
    expect(turns.map(({ who }) => shot.people.findIndex((one) => one === who))).toEqual([
      0, 1, 0, 1,
    ])
    expect(turns.map(({ startSeconds }) => Math.round(startSeconds))).toEqual([0, 5, 10, 15])
  })
})

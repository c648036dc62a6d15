import { expect, it } from 'vitest'
import { tellTurns } from '../../../../containers/insight/follow/tell-turns.ts'
import { watchShot } from '../../../../containers/insight/follow/watch-shot.ts'

const looks = Array.from({ length: 80 }, (_, i) => i / 4)

const person = (left: number, moved: (seconds: number) => number) =>
  looks.map((seconds) => ({
    ...{ seconds, left, right: left + 0.1, top: 0.3, bottom: 0.5 },
    mouth: { everySeconds: 0.08, moved: [0.08, 0.16, 0.24].map((later) => moved(seconds + later)) },
  }))

const shotOf = (people: ReturnType<typeof person>[]) => {
  return { startSeconds: 0, endSeconds: 20, looks, people }
}
const voice = { stepSeconds: 0.1, levels: new Float32Array(200).fill(1) }

it('watchShot compares no mouth with what is at its place in the next shot', () => {
  // The picture that the last reading is of is the first one of the next shot.
  const shot = {
    ...shotOf([0.05, 0.85].map((left) => person(left, (at) => (at > 19.9 ? 1.5 : 0)))),
    endSeconds: 19.9,
  }
  const { moves } = watchShot(shot, voice)
  expect(moves.map((one) => Math.max(...one))).toEqual([0, 0])
})

it('tellTurns learns nothing from a voice that is the only one', () => {
  const people = [person(0.05, (at) => (at < 10 ? 0.8 : 0)), person(0.85, () => 0)]
  const seen = {
    ...{ shots: [shotOf(people)], asked: [], voice, beginSeconds: 0 },
    picture: { width: 1920, height: 1080 },
  }
  const spans = [...looks.keys()].map((i) => ({ startSeconds: i / 4, endSeconds: (i + 1) / 4 }))
  const turnsWith = (speakers: readonly string[]) => {
    const said = spans.map((span) => ({
      ...span,
      speaker: speakers.at(span.startSeconds < 10 || span.startSeconds >= 15 ? 0 : -1) ?? '',
    }))
    return tellTurns(seen, said).shots[0]?.turns?.map(({ startSeconds, who }) => [
      Math.round(startSeconds),
      people.findIndex((one) => one === who),
    ])
  }
  expect(turnsWith(['Ann'])).toEqual([
    [0, 0],
    [10, -1],
  ])
  expect(turnsWith(['Ann', 'Ben'])).toContainEqual([15, 0])
})

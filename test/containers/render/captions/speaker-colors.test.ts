import { describe, expect, it } from 'vitest'
import { colorSpeakers } from '../../../../containers/render/captions/caption-look.ts'

const said = (speaker?: string) => ({
  ...{ startTime: 0, endTime: 1, lines: [], isRightToLeft: false },
  ...(speaker !== undefined && { speaker }),
})

describe('colorSpeakers', () => {
  const all = ['Anna', 'Ben', 'Carl']
  const colorsIn = (speakers: readonly (string | undefined)[]) =>
    colorSpeakers(speakers.map(said), all, { box: undefined }).map(({ fill }) => fill)

  it('gives a person the same colour in a film and in a clip in which somebody else begins', () => {
    const [anna, ben, carl] = colorsIn(all)
    expect(anna).toBeUndefined()
    expect(new Set([ben, carl, undefined]).size).toBe(3)
    expect(colorsIn(['Carl', 'Ben', 'Anna', undefined])).toEqual([carl, ben, undefined, undefined])
  })
})

import { describe, expect, it } from 'vitest'
import { lookOfPicture } from '../../../../containers/insight/frames/look-of-picture.ts'
import {
  isOutdoors,
  learnt,
  sceneSettingOf,
} from '../../../../containers/insight/local/scene-setting.ts'

type Color = readonly [number, number, number]

const side = 36

/** A picture of one colour above and another below. */
function lookOf(above: Color, below: Color) {
  const pixels = new Uint8Array(side * side * 3)
  for (let i = 0; i < side * side; i++) pixels.set(i < (side * side) / 2 ? above : below, i * 3)
  return lookOfPicture({ width: side, height: side, pixels })
}

const blue: Color = [90, 150, 220]
const grass: Color = [70, 150, 40]
const sand: Color = [200, 180, 150]

/** The traits of a picture that is certainly outdoors: each trait that suggests it. */
const outside = learnt.weights.map((weight) => (weight > 0 ? 1 : 0))
const inside = learnt.weights.map((weight) => (weight < 0 ? 1 : 0))
const settingWith = (traits: readonly number[], above: Color, below: Color) =>
  sceneSettingOf([lookOf(above, below)], [Float32Array.from(traits)], [])

describe('sceneSettingOf', () => {
  it('recognises a blue sky and grass in outdoor pictures', () => {
    expect(settingWith(outside, blue, grass)).toMatchObject({
      ...{ isOutdoors: true, isByDay: true, hasBlueSky: true, isGreen: true },
    })
    expect(settingWith(outside, blue, sand)).toMatchObject({ hasBlueSky: true, isGreen: false })
  })

  it('mistakes neither a blue wall nor water for the sky, nor a green wall for grass', () => {
    const nothing = { isOutdoors: false, isByDay: false, hasBlueSky: false, isGreen: false }
    expect(settingWith(inside, blue, grass)).toMatchObject(nothing)
    expect(settingWith(outside, blue, blue)).toMatchObject({ hasBlueSky: false })
    expect(settingWith(outside, sand, blue)).toMatchObject({ hasBlueSky: false })
  })

  it('reports neither day nor sky for a dark picture', () => {
    const night = settingWith(outside, [10, 40, 95], [5, 5, 5])
    expect(night).toMatchObject({ isOutdoors: true, isByDay: false, hasBlueSky: false })
  })
})

it('isOutdoors requires that most pictures look like it, and that all of them together leave no doubt', () => {
  expect(isOutdoors([2.4, 2.1, 1.9])).toBe(true)
  expect(isOutdoors([1.9, 1.9, 1.9])).toBe(false)
  expect(isOutdoors([9, 9, 0.2, 0.2])).toBe(false)
  expect(isOutdoors([5, 4, 3, 0.2])).toBe(true)
  expect(isOutdoors([])).toBe(false)
})

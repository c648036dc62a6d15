import { describe, expect, it } from 'vitest'
import {
  beforeTurn,
  croppedSize,
  fadeAt,
  frameSize,
  insetsOf,
  mirrorOf,
  toneOf,
} from '../../../../worker/app/new-video/request/picture-look.ts'

const picture = { width: 1000, height: 500 }

describe('insetsOf', () => {
  it('reads pixels and percentages, and what is left open reaches to the edge', () => {
    const crop = { x: 100, y: '20%', height: 250 }
    expect(insetsOf({ crop }, picture)).toEqual([0.2, 0, expect.closeTo(0.3), 0.1])
    expect(croppedSize([0.2, 0, 0.3, 0.1], picture)).toEqual({ width: 900, height: 250 })
    expect(insetsOf({}, picture)).toEqual([0, 0, 0, 0])
  })

  it('crops nothing while the rectangle does not lie in the picture', () => {
    for (const crop of [{ x: 900, width: 200 }, { y: 500 }, { width: '130%' }]) {
      expect(insetsOf({ crop }, picture)).toEqual([0, 0, 0, 0])
    }
  })
})

it('beforeTurn finds the sides as they were before the picture was turned clockwise', () => {
  const sides = [1, 2, 3, 4] as const
  // What is on top after a quarter turn to the right was on the left.
  expect(beforeTurn(sides, 90)[3]).toBe(1)
  expect(beforeTurn(sides, 180)[2]).toBe(1)
  expect(beforeTurn(sides, 270)[1]).toBe(1)
  expect(beforeTurn(sides, 0)).toEqual(sides)
})

it('mirrorOf mirrors across, down or both', () => {
  expect(mirrorOf({ flip: 'horizontal' })).toEqual({ across: -1, down: 1 })
  expect(mirrorOf({ flip: 'both' })).toEqual({ across: -1, down: -1 })
  expect(mirrorOf({})).toEqual({ across: 1, down: 1 })
})

it('frameSize lies within the picture, or around it where nothing of it may be lost', () => {
  const size = (aspectRatio: string, resizeMode: string) =>
    frameSize(picture, { aspectRatio, resizeMode })
  expect(size('1:1', 'cover')).toEqual({ width: 500, height: 500 })
  expect(size('1:1', 'contain')).toEqual({ width: 1000, height: 1000 })
  expect(size('4:1', 'cover')).toEqual({ width: 1000, height: 250 })
  expect(size('4:1', 'contain')).toEqual({ width: 2000, height: 500 })
  expect(size('original', 'contain')).toEqual(picture)
})

it('toneOf keeps grey grey, moves it by the brightness, and scales what is colourful', () => {
  const values = toneOf({ color: { saturation: 0, contrast: 2, brightness: 0.1 } })?.split(' ')
  const red = values?.slice(0, 5).map(Number) ?? []
  expect(red).toEqual([0.4252, 1.4304, 0.1444, 0, -0.4])
  expect(toneOf({ color: { saturation: 1 } })).toBeUndefined()
})

it('fadeAt rises from a colour and sinks into another', () => {
  const request = { fadeIn: { duration: 2, color: '#FF0000' }, fadeOut: { duration: 1 } }
  expect(fadeAt(request, 0.5, 10)).toEqual({ color: '#FF0000', opacity: 0.75 })
  expect(fadeAt(request, 5, 10).opacity).toBe(0)
  expect(fadeAt(request, 9.5, 10)).toEqual({ color: '#000000', opacity: 0.5 })
  expect(fadeAt({}, 5, 10).opacity).toBe(0)
})

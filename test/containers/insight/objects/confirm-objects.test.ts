import { describe, expect, it } from 'vitest'
import { confirmObjects } from '../../../../containers/insight/objects/confirm-objects.ts'
import type { SeenObject } from '../../../../containers/insight/objects/find-boxes.ts'
import type { Label } from '../../../../containers/insight/objects/labels.ts'

const seen = (label: Label, score: number, left = 0.1): SeenObject => ({
  label,
  score,
  left,
  top: 0.1,
  right: left + 0.2,
  bottom: 0.3,
})
const labelsOf = (frames: SeenObject[][]) => confirmObjects(frames).map(({ label }) => label)

describe('confirmObjects', () => {
  it('confirms an object that several pictures show, or that one shows clearly', () => {
    expect(labelsOf([[seen('person', 0.45)], [seen('person', 0.4)]])).toEqual(['person'])
    expect(labelsOf([[seen('dog', 0.6)], []])).toEqual(['dog'])
    expect(labelsOf([[seen('car', 0.49)], []])).toEqual([])
  })

  it('calls an animal that may be another one an animal, and drops a doubtful bird', () => {
    expect(labelsOf([[seen('bear', 0.62)], [seen('bear', 0.6)]])).toEqual(['animal'])
    expect(labelsOf([[seen('cow', 0.5)], [seen('sheep', 0.4)]])).toEqual(['animal'])
    expect(labelsOf([[seen('cow', 0.66)], [seen('cow', 0.66)]])).toEqual(['cow'])
    expect(labelsOf([[seen('bird', 0.44)], [seen('bird', 0.44)]])).toEqual([])
    expect(labelsOf([[seen('horse', 0.37)], [seen('horse', 0.37)]])).toEqual([])
  })

  it('requires more pictures if there are more', () => {
    const frames = Array.from({ length: 12 }, () => [] as SeenObject[])
    const with45 = (count: number) => frames.map((_, i) => (i < count ? [seen('bird', 0.45)] : []))
    expect(labelsOf(with45(2))).toEqual([])
    expect(labelsOf(with45(3))).toEqual(['bird'])
  })

  it('confirms a weak object that keeps its place on four successive pictures', () => {
    const moving = [0, 1, 2, 3].map((i) => [seen('dog', 0.41, 0.1 + i * 0.05)])
    expect(labelsOf(moving)).toEqual(['dog'])
    expect(labelsOf(moving.slice(1))).toEqual(['animal'])
    const jumping = [0.1, 0.6, 0.1, 0.6].map((left) => [seen('person', 0.36, left)])
    expect(labelsOf(jumping)).toEqual([])
    expect(labelsOf([0, 1, 2, 3].map(() => [seen('person', 0.36)]))).toEqual(['person'])
    expect(labelsOf([0, 1, 2, 3].map(() => [seen('clock', 0.5)]))).toEqual([])
  })

  it('requires a higher score of small things, which the model often imagines', () => {
    expect(labelsOf([[seen('clock', 0.5)], [seen('clock', 0.5)]])).toEqual([])
    expect(labelsOf([[seen('clock', 0.6)], [seen('clock', 0.6)]])).toEqual(['clock'])
  })

  it('reports only one object in one place', () => {
    const frame = [seen('dog', 0.7), seen('horse', 0.65), seen('person', 0.6, 0.6)]
    expect(labelsOf([frame, frame])).toEqual(['dog', 'person'])
  })

  it('replaces a weak animal by the one that more pictures show in its place', () => {
    const dogs = [[seen('dog', 0.55)], [seen('dog', 0.53)], [seen('dog', 0.5)]]
    expect(labelsOf([[seen('horse', 0.48)], ...dogs])).toEqual(['dog'])
    expect(labelsOf([[seen('horse', 0.48, 0.6)], ...dogs])).toEqual(['dog', 'horse'])
    expect(labelsOf([[seen('horse', 0.65)], ...dogs])).toEqual(['dog', 'horse'])
    expect(labelsOf([[seen('person', 0.48)], ...dogs])).toEqual(['dog', 'person'])
  })

  it('reports an object that is now a bird and now an airplane as the likelier one', () => {
    const birds = [[seen('bird', 0.55)], [seen('bird', 0.53)], [seen('bird', 0.5)]]
    const planes = [[seen('airplane', 0.52, 0.6)], [seen('airplane', 0.5, 0.6)]]
    expect(labelsOf([...planes, ...birds])).toEqual(['bird'])
    const both = [[seen('airplane', 0.52, 0.6), seen('bird', 0.5)]]
    expect(labelsOf([...planes, ...birds, ...both])).toEqual(['bird', 'airplane'])
  })

  it('does not report stripes as a train', () => {
    const stripes = [0.46, 0.5, 0.48, 0.47].map((score) => [seen('train', score)])
    expect(labelsOf(stripes)).toEqual([])
    expect(labelsOf([[seen('train', 0.7)]])).toEqual(['train'])
  })

  it('counts the most objects that are seen at once', () => {
    const two = [seen('person', 0.6), seen('person', 0.5, 0.6)]
    expect(confirmObjects([two, [seen('person', 0.6)]])[0]).toMatchObject({ count: 2, frames: 2 })
  })
})

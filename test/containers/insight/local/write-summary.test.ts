import { describe, expect, it } from 'vitest'
import { chooseTags } from '../../../../containers/insight/local/choose-tags.ts'
import { sceneKind } from '../../../../containers/insight/local/scene-kind.ts'
import {
  writeSummary,
  type SummaryFacts,
} from '../../../../containers/insight/local/write-summary.ts'
import type { PictureDescription } from '../../../../containers/insight/local/describe-picture.ts'
import type { ConfirmedObject } from '../../../../containers/insight/objects/confirm-objects.ts'
import type { Label } from '../../../../containers/insight/objects/labels.ts'

const picture: PictureDescription = {
  isBlank: false,
  isBlack: false,
  light: 'bright',
  isGray: false,
  hue: undefined,
  change: 'little',
}

const summary = (changes: Partial<SummaryFacts>) =>
  writeSummary({
    durationSeconds: 12,
    width: 640,
    height: 360,
    hasSound: true,
    picture,
    objects: [],
    scene: undefined,
    sentences: [],
    ...changes,
  })

const seen = (label: Label, count = 1): ConfirmedObject => ({ label, count, frames: 3, score: 0.6 })

describe('writeSummary', () => {
  it('says something true of a video in which nothing is known', () => {
    expect(summary({})).toBe(
      'A 12-second landscape video. The picture is bright and changes little.',
    )
  })

  it('does not call a video of different shots a still one', () => {
    expect(summary({ picture: { ...picture, change: 'at cuts' } })).toContain(
      'The picture is bright and changes little between cuts.',
    )
  })

  it('names what is seen, without numbers it cannot be sure of', () => {
    const objects = [seen('person', 2), seen('airplane'), seen('sheep', 7), seen('bus', 3)]
    expect(summary({ objects })).toContain('It shows people, an airplane, sheep and buses.')
  })

  it('says of a black video that it is black, and no more', () => {
    const black = { ...picture, isBlank: true, isBlack: true, light: 'dark' as const }
    expect(summary({ picture: black, hasSound: false, durationSeconds: 8, height: 640 })).toBe(
      'An 8-second square video, without sound. The picture is black, or nearly so, throughout.',
    )
  })

  it('tells colour where there is one for all', () => {
    const blue = { ...picture, hue: 'blue' as const, change: undefined }
    expect(summary({ picture: blue })).toContain('The picture is bright, mostly blue.')
    const gray = { ...picture, isGray: true, change: 'hardly' as const }
    expect(summary({ picture: gray })).toContain('bright, without colour, and hardly changes.')
  })

  it('quotes what is said, and gives long times as people do', () => {
    const text = summary({ sentences: ['We fix a bike.'], durationSeconds: 4 * 3600, height: 900 })
    expect(text).toMatch(/^A 4-hour portrait video\./)
    expect(text).toMatch(/From what is said: “We fix a bike\.”$/)
    expect(summary({ durationSeconds: 660 })).toMatch(/^An 11-minute/)
  })
})

describe('sceneKind', () => {
  it('needs more than one piece of furniture', () => {
    expect(sceneKind([seen('couch')])).toBeUndefined()
    expect(sceneKind([seen('couch'), seen('tv')])).toBe('living room')
  })
})

describe('chooseTags', () => {
  it('adds kinds to things, and names each once', () => {
    const objects = [seen('person', 2), seen('dog'), seen('car')]
    const keywords = ['Dog', 'leash']
    expect(chooseTags({ objects, scene: 'street', keywords })).toEqual([
      ...['person', 'dog', 'car', 'people', 'animal', 'vehicle', 'street', 'leash'],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { chooseTags } from '../../../../containers/insight/local/local-analysis.ts'
import { type SceneSetting, sceneKind } from '../../../../containers/insight/local/scene-setting.ts'
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

const nowhere: SceneSetting = {
  ...{ room: undefined, isOutdoors: false, isByDay: false },
  ...{ isGreen: false, hasBlueSky: false },
}
const meadow: SceneSetting = { ...nowhere, isOutdoors: true, isByDay: true, isGreen: true }

const summary = (changes: Partial<SummaryFacts>) =>
  writeSummary({
    durationSeconds: 12,
    width: 640,
    height: 360,
    sound: undefined,
    picture,
    objects: [],
    setting: nowhere,
    sentences: [],
    ...changes,
  })

const seen = (label: Label, count = 1): ConfirmedObject => ({ label, count, frames: 3, score: 0.6 })

describe('writeSummary', () => {
  it('tells what one would tell a colleague', () => {
    expect(summary({ objects: [seen('dog')], setting: meadow, sound: 'no speech' })).toBe(
      'A 12-second wide clip: a dog outdoors by day in the green; no speech is heard.',
    )
    const kitchen = { ...nowhere, room: 'kitchen' }
    const cooking = { objects: [seen('person', 2), seen('oven')], setting: kitchen, height: 900 }
    expect(summary({ ...cooking, sound: 'speech', durationSeconds: 660 })).toBe(
      'An 11-minute upright video: people and an oven probably in a kitchen; somebody speaks.',
    )
    expect(summary({ setting: { ...meadow, isGreen: false }, sound: 'none' })).toBe(
      'A 12-second wide clip without sound: filmed outdoors by day.',
    )
    const sunny = { ...meadow, isGreen: false, hasBlueSky: true }
    expect(summary({ setting: sunny })).toContain(': filmed outdoors under a blue sky.')
  })

  it('admits that nothing is known, and describes light and colour instead', () => {
    expect(summary({})).toBe(
      'A 12-second wide clip. What it shows cannot be named for certain; the picture is bright.',
    )
    const blue = { ...picture, hue: 'blue' as const, change: 'much' as const }
    expect(summary({ picture: blue })).toContain(
      'the picture is bright and mostly blue. The picture changes a lot.',
    )
  })

  it('never calls a shape "landscape" or "portrait"', () => {
    const shapes = [360, 1_000, 640, 700].map((height) => summary({ height }).split('.')[0])
    expect(shapes).toEqual([
      'A 12-second wide clip',
      'A 12-second upright clip',
      'A 12-second square clip',
      'A 12-second clip',
    ])
  })

  it('distinguishes a still picture from cuts', () => {
    const told = (change: PictureDescription['change']) =>
      summary({ picture: { ...picture, change } })
    expect(told('hardly')).toMatch(/The picture stands still\.$/)
    expect(told('at cuts')).toMatch(/It is cut from several shots\.$/)
  })

  it('names the objects, without numbers that may be wrong', () => {
    const objects = [seen('person', 2), seen('airplane'), seen('sheep', 7), seen('bus', 3)]
    expect(summary({ objects })).toBe(
      'A 12-second wide clip: people, an airplane, sheep and buses.',
    )
    expect(summary({ objects: [seen('person', 8)] })).toContain(': many people.')
  })

  it('says only that a black video is black', () => {
    const black = { ...picture, isBlank: true, isBlack: true, isGray: true, light: 'dark' as const }
    expect(summary({ picture: black, sound: 'none', durationSeconds: 8, height: 640 })).toBe(
      'An 8-second square clip without sound: the picture is black, or nearly so, throughout.',
    )
  })

  it('says that a video is in black and white', () => {
    expect(summary({ picture: { ...picture, isGray: true } })).toMatch(
      /^A 12-second wide clip in black and white\./,
    )
  })

  it('quotes the speech, and gives long times as people do', () => {
    const talk = {
      sentences: ['We fix a bike.'],
      sound: 'speech' as const,
      durationSeconds: 14_400,
    }
    expect(summary({ ...talk, objects: [seen('bicycle')] })).toBe(
      'A 4-hour wide video: a bicycle. From what is said: “We fix a bike.”',
    )
  })
})

it('sceneKind needs more than one piece of furniture', () => {
  expect(sceneKind([seen('couch')])).toBeUndefined()
  expect(sceneKind([seen('couch'), seen('tv')])).toBe('living room')
})

describe('chooseTags', () => {
  it('adds the kinds of the objects, and names each once', () => {
    const objects = [seen('person', 2), seen('dog'), seen('car')]
    const setting = { ...meadow, hasBlueSky: true, room: 'street' }
    expect(chooseTags({ objects, setting, picture, keywords: ['Dog', 'leash'] })).toEqual([
      ...['person', 'dog', 'car', 'people', 'animal', 'vehicle', 'street'],
      ...['outdoors', 'blue sky', 'greenery', 'leash'],
    ])
  })

  it('does not report a kitchen outdoors', () => {
    const setting = { ...meadow, isGreen: false, room: 'kitchen' }
    const gray = { ...picture, isGray: true }
    expect(chooseTags({ objects: [], setting, picture: gray, keywords: [] })).toEqual([
      ...['outdoors', 'black and white'],
    ])
  })
})

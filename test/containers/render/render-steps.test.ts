import { describe, expect, it } from 'vitest'
import {
  encodingReads,
  finishingReads,
  hearingReads,
  renderSteps,
  type AllRead,
} from '../../../containers/render/render-steps.ts'
import type { RenderOptions } from '../../../containers/render/render-state.ts'
import { optionsSchema } from '../../../worker/contract/options/options.ts'

describe('AllRead', () => {
  it('does not compile while the schema has an option that no step reads', () => {
    const isRead: AllRead<'combine' | 'mirror', 'combine' | 'mirror'> = true
    // @ts-expect-error Nobody reads `mirror`.
    const isUnread: AllRead<'combine' | 'mirror', 'combine'> = true
    expect([isRead, isUnread]).toEqual([true, true])
  })

  it('finds that each option of the real schema is read, and the exact size and rate of an output', () => {
    const names = new Set<keyof RenderOptions>([
      ...renderSteps.flatMap((step): readonly (keyof RenderOptions)[] => step.reads),
      ...encodingReads,
      ...hearingReads,
      ...finishingReads,
    ])
    const known = [
      ...optionsSchema.keyof().options,
      ...['videoCodec', 'maxBytes', 'maxBitrate'],
      'width',
      'height',
      ...['startTime', 'duration'],
      'fps',
    ]
    expect([...names].sort()).toEqual(known.sort())
  })
})

it('renderSteps joins before anything is cut or laid over the picture', () => {
  const names = renderSteps.map(({ name }) => name)
  expect(names.slice(0, 8)).toEqual([
    ...['blur-faces', 'stabilize', 'rotate', 'crop', 'adjust-color', 'flip', 'reframe'],
    'join-sources',
  ])
})

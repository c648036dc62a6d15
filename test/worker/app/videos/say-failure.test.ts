import { describe, expect, it } from 'vitest'
import { adviseOn, sayFailure } from '../../../../worker/app/videos/say-failure.ts'

const unreachable = (errorMessage: string) => ({
  errorMessage,
  reason: 'source_unreachable' as const,
})

describe('a failed video', () => {
  it('says what happened in words of the page', () => {
    expect(sayFailure(unreachable('fileUrl: its host name is not known (tried 3 times)'))).toBe(
      'The address of the video: its host name is not known (tried 3 times).',
    )
    expect(sayFailure({ errorMessage: 'files[1].url: the server answered 404' })).toBe(
      'Clip 2: the server answered 404.',
    )
    expect(sayFailure({ errorMessage: 'uploadId: the file is damaged' })).toBe(
      'The file is damaged.',
    )
    expect(sayFailure({ errorMessage: null })).toBe('It could not be processed.')
  })

  it('gives advice that fits what the server of the address did', () => {
    expect(adviseOn(unreachable('fileUrl: its host name is not known (tried 3 times)'))).toContain(
      'spelt',
    )
    expect(adviseOn(unreachable('fileUrl: the server answered 403'))).toContain('private window')
    expect(adviseOn(unreachable('fileUrl: the server answered 404'))).toContain('nothing there')
    expect(adviseOn({ errorMessage: 'nothing is left', reason: 'nothing_left' })).toBe(
      'Cut less of it.',
    )
    expect(adviseOn({ errorMessage: 'no' })).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { captionTracks } from '../../../../containers/render/captions/embed-captions.ts'

describe('captionTracks', () => {
  const codingIn = (format: 'mp4' | 'mov' | 'webm' | 'avi', language: string) =>
    captionTracks([{ text: 'WEBVTT\n', language, tag: undefined }], format).map(({ coding }) =>
      coding.join(' '),
    )

  it('names the language as each container does', () => {
    expect(codingIn('mp4', 'deu')).toEqual(['-c:s mov_text -metadata:s:s:0 language=deu'])
    expect(codingIn('mov', 'deu')).toEqual(['-c:s mov_text -metadata:s:s:0 language=ger'])
    expect(codingIn('mov', 'eng')).toEqual(['-c:s mov_text -metadata:s:s:0 language=eng'])
    expect(codingIn('webm', 'deu')).toEqual(['-c:s webvtt -metadata:s:s:0 language=deu'])
    expect(codingIn('avi', 'deu')).toEqual([])
  })
})

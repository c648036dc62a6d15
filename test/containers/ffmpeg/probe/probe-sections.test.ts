import { describe, expect, it } from 'vitest'
import {
  readSections,
  type ProbeSection,
} from '../../../../containers/ffmpeg/probe/probe-sections.ts'

function sectionsIn(...chunks: readonly string[]): ProbeSection[] {
  const sections: ProbeSection[] = []
  const { feed, finish } = readSections((section) => sections.push(section))
  chunks.forEach(feed)
  finish()
  return sections
}

describe('readSections', () => {
  it('gives a stream all its side data, on whichever lines they stand', () => {
    const [stream, format] = sectionsIn(
      'stream|index=0|side_data|dv_profile=8\nside_data|rotation=-90\nside_data|max_content=1000\n',
      '\nformat|duration=2\n',
    )
    expect(stream?.sideData().map((data) => Object.fromEntries(data))).toEqual([
      { dv_profile: '8' },
      { rotation: '-90' },
      { max_content: '1000' },
    ])
    expect(format?.kind).toBe('format')
  })

  it('finds the key of an encrypted packet behind other side data', () => {
    const [first, second] = sectionsIn(
      'packet|flags=K_|side_data|side_data_type=Skip Samples\nside_da',
      'ta|side_data_type=Encryption info\npacket|flags=__\n',
    )
    expect([first, second].map((packet) => packet?.hasSideData('Encryption'))).toEqual([
      true,
      false,
    ])
  })

  it('keeps a bar that belongs to a value', () => {
    const [format] = sectionsIn('format|tag:location=a\\|side_data\\|rotation=90|duration=2\n')
    expect(format?.value('duration')).toBe('2')
    expect(format?.sideData()).toEqual([])
  })
})

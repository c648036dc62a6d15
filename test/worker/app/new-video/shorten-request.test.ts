import { describe, expect, it } from 'vitest'
import { leaveOut } from '../../../../worker/app/new-video/request/build-request.ts'
import {
  shortenRequest,
  spellOut,
} from '../../../../worker/app/new-video/request/shorten-request.ts'
import { asCurl, asTypeScript } from '../../../../worker/app/request-code.ts'

const defaults = { removeSilence: false, aspectRatio: 'original', rotate: 0 }
const vertical = {
  name: 'vertical',
  fields: { aspectRatio: '9:16', elements: [{ type: 'image' }] },
}

describe('shortenRequest', () => {
  it('leaves out what goes without saying', () => {
    const full = { ...defaults, fileUrl: 'https://example.com/a.mp4', rotate: 90 }
    expect(shortenRequest(full, defaults)).toEqual({
      fileUrl: 'https://example.com/a.mp4',
      rotate: 90,
    })
  })

  it('says only what differs from the preset, also where that is the default', () => {
    const shown = spellOut({}, defaults, vertical)
    expect(shortenRequest(shown, defaults, vertical)).toEqual({ preset: 'vertical' })
    const changed = { ...shown, aspectRatio: 'original', removeSilence: true }
    expect(shortenRequest(changed, defaults, vertical)).toEqual({
      preset: 'vertical',
      aspectRatio: 'original',
      removeSilence: true,
    })
  })

  it('leaves the preset out once something of it is taken away', () => {
    const shown = leaveOut(spellOut({}, defaults, vertical), 'elements')
    expect(shortenRequest(shown, defaults, vertical)).toEqual({ aspectRatio: '9:16' })
  })

  it('shows what it says again', () => {
    const full = { ...defaults, aspectRatio: '1:1', elements: [], videoName: 'a' }
    const short = shortenRequest(full, defaults, vertical)
    expect(spellOut({ ...short }, defaults, vertical)).toMatchObject(full)
  })
})

describe('the request as code', () => {
  const request = { videoName: `it's "$HOME" \`here\``, 'odd name': 1, removeSilence: true }

  it('keeps a shell from reading anything into it', () => {
    const command = asCurl(request, 'https://spool.example')
    expect(command).toContain(String.raw`"it'\''s \"$HOME\" `)
    // Outside of the pairs that are written for it, the text has no quote that could end it.
    const text = command.slice(command.indexOf("-d '") + 4, -1)
    expect(text.replaceAll(String.raw`'\''`, '')).not.toContain("'")
  })

  it('is a program that sends the same', () => {
    const program = asTypeScript(request, 'https://spool.example')
    const [, literal = ''] = /JSON\.stringify\(([\s\S]*?)\),\n\}\)/.exec(program) ?? []
    expect(literal).toContain('removeSilence: true')
    expect(literal).toContain('"odd name": 1')
    expect(program).toContain('"https://spool.example/v1/videos"')
  })
})

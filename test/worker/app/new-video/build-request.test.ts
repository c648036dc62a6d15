import { describe, expect, it } from 'vitest'
import { createVideo, parseCreateVideo } from '../../../../worker/contract/options/create-video.ts'
import {
  buildRequest,
  writePhrases,
  writeTerms,
} from '../../../../worker/app/new-video/request/build-request.ts'
import { describeControls } from '../../../../worker/app/new-video/form/describe-controls.ts'
import { readVideoForm } from '../../../../worker/app/new-video/request/read-video-form.ts'

const fields = describeControls(createVideo)
const requestOf = (entries: Record<string, string>) =>
  buildRequest(readVideoForm(fields, Object.entries(entries)))

describe('the request that a form stands for', () => {
  it('holds every kind of value, and nothing that is empty', () => {
    const request = requestOf({
      fileUrl: 'https://example.com/a.mp4',
      videoName: '',
      removeSilence: 'true',
      rotate: '90',
      compressionQuality: '80.5',
      aspectRatio: '9:16',
      metadata: '{"order": 8127}',
      'removeSegments[0].startTime': '1',
      'removeSegments[0].endTime': '1:02.5',
      'elements[0].type': 'image',
      'elements[0].url': 'https://example.com/logo.png',
      'elements[0].timing.entireVideo': 'true',
      'elements[0].timing.startTime': '',
      'elements[0].position.anchor': 'top-left',
      'elements[0].size.width': '20%',
      'elements[0].size.height': '120',
    })
    expect(request).toEqual({
      fileUrl: 'https://example.com/a.mp4',
      removeSilence: true,
      rotate: 90,
      compressionQuality: 80.5,
      aspectRatio: '9:16',
      metadata: { order: 8127 },
      removeSegments: [{ startTime: 1, endTime: 62.5 }],
      elements: [
        {
          type: 'image',
          url: 'https://example.com/logo.png',
          timing: { entireVideo: true },
          position: { anchor: 'top-left' },
          size: { width: '20%', height: 120 },
        },
      ],
    })
    expect(parseCreateVideo(request).ok).toBe(true)
  })

  it('holds phrases line by line, and a group that is switched on, whatever is in it', () => {
    expect(requestOf({ removeText: 'let me start again\n\n  um #2 \n#5', captions: 'on' })).toEqual(
      {
        removeText: ['let me start again', { text: 'um', occurrence: 2 }, '#5'],
        captions: {},
      },
    )
    const lines = 'let me start again\num #2'
    const { removeText } = requestOf({ removeText: lines })
    expect(writePhrases(removeText)).toBe(lines)
    expect(writePhrases([1])).toBeUndefined()
  })

  it('holds what terms become, line by line or pasted from a table', () => {
    const lines = 'launch = lanzamiento\nSpool\n\na=b = c\tSpool → Carrete'
    const { captions } = requestOf({ captions: 'on', 'captions.glossary': lines })
    const glossary = { launch: 'lanzamiento', Spool: 'Spool', a: 'b = c\tSpool → Carrete' }
    expect(captions).toEqual({ glossary })
    const table = 'launch\tlanzamiento'
    expect(requestOf({ 'captions.glossary': table })).toEqual({
      captions: { glossary: { launch: 'lanzamiento' } },
    })
    const posted = 'launch = lanzamiento\r\nSpool\r\nteam = equipo'
    expect(requestOf({ 'captions.glossary': posted })).toEqual({
      captions: { glossary: { launch: 'lanzamiento', Spool: 'Spool', team: 'equipo' } },
    })
    expect(writeTerms({ launch: 'lanzamiento', Spool: 'Spool' })).toBe(
      'launch = lanzamiento\nSpool = Spool',
    )
    expect(writeTerms({ a: 1 })).toBeUndefined()
  })

  it.each([
    { 'a=b': 'c' },
    { 'in → out': 'dentro → fuera' },
    { 'tab\tled': 'x' },
    { 'two\nlines': 'dos' },
    { two: 'dos\nlineas' },
    { ' spaced': 'x' },
    { kept: '' },
  ])('gives terms that lines cannot hold as JSON, and reads that back: %o', (glossary) => {
    expect(writeTerms(glossary)).toBeUndefined()
    const text = JSON.stringify(glossary, null, 2).replaceAll('\n', '\r\n')
    expect(requestOf({ 'captions.glossary': text })).toEqual({ captions: { glossary } })
  })

  it('reads a term that only begins like JSON', () => {
    const terms = { '{name}': '{nombre}', b: 'c=d' }
    const lines = '{name} = {nombre}\nb = c=d'
    expect(writeTerms(terms)).toBe(lines)
    expect(requestOf({ 'captions.glossary': lines })).toEqual({ captions: { glossary: terms } })
  })

  it('holds no item of which only the kind and an empty tick are sent', () => {
    const request = requestOf({
      'elements[0].type': 'image',
      'destinations[0].storage': '',
      'destinations[0].keep': 'false',
      'destinations[1].storage': 'out',
      'destinations[1].keep': 'false',
    })
    expect(request['elements']).toBeUndefined()
    expect(JSON.stringify(request)).toContain('{"storage":"out","keep":false}')
    expect(requestOf({ 'destinations[0].keep': 'false' })).toEqual({})
  })

  it('keeps what stands for nothing, so that the API names the field', () => {
    const request = requestOf({
      fileUrl: 'https://example.com/a.mp4',
      compressionQuality: 'high',
      metadata: '{"order": ',
      mirror: 'left',
    })
    const parsed = parseCreateVideo(request)
    expect(parsed.ok ? [] : parsed.faults.map(({ field }) => field).toSorted()).toEqual([
      'compressionQuality',
      'metadata',
      'mirror',
    ])
  })

  it('closes the gaps of a list, however far apart its items are', () => {
    const request = requestOf({
      'files[9999].url': 'https://example.com/b.mp4',
      'files[3].url': 'https://example.com/a.mp4',
      'files[3].removeSegments[7].startTime': '1',
      'files[2].url': '',
    })
    expect(request).toEqual({
      files: [
        { url: 'https://example.com/a.mp4', removeSegments: [{ startTime: 1 }] },
        { url: 'https://example.com/b.mp4' },
      ],
    })
  })

  it('keeps an item of which nothing is filled in where the page shows one', () => {
    expect(buildRequest([{ path: 'removeSegments[0]', kind: 'item', text: '' }])).toEqual({
      removeSegments: [{}],
    })
  })

  it('survives names that mean something else to a program', () => {
    const request = requestOf({
      '__proto__.polluted': 'yes',
      'constructor.prototype.polluted': 'yes',
      'elements[0]': 'text',
      'elements[0].url': 'https://example.com/logo.png',
      '': 'nothing',
      '..[': 'nothing',
    })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(parseCreateVideo(request).ok).toBe(false)
  })
})

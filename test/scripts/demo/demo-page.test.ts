import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { Video } from '../../../client/src/api-types.ts'
import type { DemoData } from '../../../scripts/demo/demo-data.ts'
import { demoPage, showTranscript } from '../../../scripts/demo/page/demo-page.ts'
import { drawSound } from '../../../scripts/demo/page/draw-sound.ts'
import { listWishes } from '../../../scripts/demo/wishes.ts'
import { parseCreateVideo } from '../../../worker/contract/options/create-video.ts'

const sound = { seconds: 10, peaks: [0, 0.5, 1], loudness: [-60, -16, 0], integrated: -23.04 }
const cuts = [
  { startTime: 1, endTime: 2, resultTime: 1 },
  { startTime: 4, endTime: 6.5, resultTime: 3 },
]
const words = [
  { startTime: 0.5, endTime: 0.9, text: 'One' },
  { startTime: 0.95, endTime: 1.9, text: '</script><b>two' },
  { startTime: 2, endTime: 2.5, text: 'three' },
]

function dataWith(more: Partial<DemoData> = {}): DemoData {
  const video = {
    videoId: 'v_00000000',
    videoMetadata: { width: 640, height: 360, duration: 6.5, fps: 25, sizeInBytes: 1_234_567 },
  } as Video
  const made = listWishes({ logo: 'http://127.0.0.1/logo.png', webhook: 'http://127.0.0.1/hook' })
  return {
    madeAt: '2026-11-22T18:00:00.000Z',
    before: { file: 'before.mp4', sizeInBytes: 900, sound },
    after: { sound: { ...sound, seconds: 6.5, integrated: -16 }, cuts, words, phases: [] },
    made: made.map((wish) => ({ ...wish, video, file: `${wish.key}.mp4` })),
    webhook: { id: 'msg_1', type: 'video.succeeded', signature: 'v1,abc' },
    ...more,
  }
}

describe('demoPage', () => {
  it('is one file that loads nothing but the media beside it', () => {
    const page = demoPage(dataWith())
    const loaded = [...page.matchAll(/\b(?:src|href|poster)="([^"]*)"/g)].map(([, file]) => file)
    expect(loaded).toEqual(['before.mp4', 'talk.mp4', 'phone.mp4#t=1', 'small.mp4#t=1'])
    expect(page).not.toMatch(/@import|url\(/)
  })

  it('says what was cut and how loud it became', () => {
    const page = demoPage(dataWith())
    expect(page).toContain('<strong>3.5 s</strong> of pauses')
    expect(page).toContain('<strong>−23.0 LUFS to −16.0 LUFS</strong>')
    expect(page).toContain('6.5 s · −16.0 LUFS · 1.2 MB')
  })

  it('shows what other people said as text, in the page and in its data', () => {
    const page = demoPage(dataWith())
    expect(page).not.toContain('</script><b>')
    const [, json = ''] =
      /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? []
    expect(JSON.parse(json)).toEqual({ cuts, longest: 10, words })
  })

  it('says why there is no webhook', () => {
    expect(demoPage(dataWith({ webhook: undefined }))).toContain('cannot reach this machine')
  })

  it('has a script that is a script', () => {
    const file = path.join(import.meta.dirname, '../../../scripts/demo/page/player.js')
    expect(() => new Script(readFileSync(file, 'utf8'))).not.toThrow()
  })
})

it('showTranscript marks each cut between the words around it', () => {
  const shown = showTranscript(words, cuts).replaceAll(/<[^>]*>/g, '')
  expect(shown).toBe('One ✂ 1.0 s &lt;/script&gt;&lt;b&gt;two three ✂ 2.5 s')
})

it('drawSound draws to the scale of the longest sound', () => {
  const drawn = drawSound({ ...sound, seconds: 5 }, { longest: 10, cuts, label: 'After' })
  expect(drawn).toContain('<rect class="bed" width="500.0"')
  expect(drawn).toContain('<rect class="cut" x="100.0" width="100.0"')
  expect(drawn).toContain('points="0.0,120.0 166.7,32.0 333.3,0.0"')
})

it('listWishes asks only for what the API accepts, with and without a way to this machine', () => {
  const near = { logo: 'https://example.com/logo.png', webhook: 'https://example.com/hook' }
  for (const wish of [...listWishes(near), ...listWishes(undefined)]) {
    const source = { fileUrl: 'https://example.com/a.mp4' }
    expect(parseCreateVideo({ ...wish.request, ...source })).toMatchObject({ ok: true })
  }
})

import { describe, expect, it } from 'vitest'
import { setCaptions, wordsToDraw } from '../../../../containers/insight/captions/set-captions.ts'
import { hundredthOf, writeCaptions } from '../../../../containers/render/captions/draw-captions.ts'
import { planCaptionLook } from '../../../../containers/render/captions/caption-look.ts'
import type { Face } from '../../../../containers/text/font-shelf.ts'
import type { Speech } from '../../../../containers/timeline/speech.ts'

/** Letters that are half as wide as high. */
const face: Face = { family: 'half', has: () => true, widthOf: (text) => [...text].length / 2 }
const lettering = { faceOf: () => face }
const frame = { width: 1080, height: 1920 }

function said(text: string): Speech {
  const words = text.split(' ').map((word, i) => ({
    ...{ text: word, startTime: i * 0.4, endTime: (i + 1) * 0.4 },
  }))
  const segment = { text, words, startTime: 0, endTime: words.at(-1)?.endTime ?? 0 }
  return { language: 'en', segments: [segment] }
}

async function set(
  speech: Speech,
  asked: Parameters<typeof planCaptionLook>[0] = {},
  isCues = false,
) {
  const { maxLines, maxWidth, warnings, ...look } = planCaptionLook(asked, frame)
  const { fontSize } = look
  const setting = { lettering, fontSize, maxWidth, maxLines, durationSeconds: 60, isCues }
  const { captions } = await setCaptions(speech, setting)
  return { captions, look, maxWidth, warnings }
}

const ground = {
  ...{ size: frame, frame, frameRate: { frames: 60_000, seconds: 1001 } },
  ...{ hasConstantRate: true, colorMatrix: 'bt601' as const },
}

describe('setCaptions', () => {
  it('stays in the safe area and below a third of the picture, whatever the size', async () => {
    const text = 'These are quite a few words that have to be broken into lines somewhere soon'
    for (const position of ['top', 'middle', 'bottom', { y: '0%' }, { y: '100%' }] as const) {
      for (const size of [undefined, '2%', '40%']) {
        const { captions, look, maxWidth } = await set(said(text), {
          position,
          maxLines: 4,
          ...(size && { size }),
        })
        for (const { lines } of captions) {
          const top = look.topOf(lines.length)
          const bottom = top + lines.length * look.lineHeight * look.fontSize
          expect(bottom - top).toBeLessThanOrEqual(frame.height / 3)
          expect(top).toBeGreaterThanOrEqual(frame.height * 0.12 - 1)
          expect(bottom).toBeLessThanOrEqual(frame.height * 0.8 + 1)
          for (const line of lines) expect(line.width).toBeLessThanOrEqual(maxWidth + 0.01)
        }
      }
    }
  })

  it('draws every space of a cue that mixes scripts, whichever of them its file is said to be in', async () => {
    const words = ['ünïcödé', 'приклад', 'λέξεις', 'शब्द', 'คำพูด', '詞語', 'ことば', '단어', '🎬']
    for (const one of words) {
      for (const other of words) {
        const text = `one ${one} ${other} two — ${one}-${other}, “${other}” (${one}).`
        for (const language of ['und', 'en', 'ja', 'th']) {
          const speech = { language, segments: [{ text, startTime: 0, endTime: 2 }] }
          const { captions } = await set(speech, { size: '1%' }, true)
          const lines = captions.flatMap((caption) => caption.lines)
          const drawn = lines.map((line) =>
            line.words.flatMap(({ runs }) => runs.map((run) => run.text)).join(''),
          )
          expect(drawn, language).toEqual([text])
        }
      }
    }
  })

  it('writes in capitals of the language if asked to, and text only', () => {
    const drawn = wordsToDraw({ ...said('istanbul \u202Eis'), language: 'tr' }, true)
    expect(drawn.segments[0]?.text).toBe('İSTANBUL İS')
  })
})

describe('writeCaptions', () => {
  it('highlights each word from its first frame to its last', async () => {
    const { captions, look } = await set(said('one two three'), { style: 'karaoke' })
    const file = writeCaptions({ captions, look, families: ['half'] }, ground)
    const states = file.split('\n').filter((line) => line.startsWith('Dialogue: 2'))
    const highlighted = states.map(
      (line) => /00E1FF&[^}]*\}(?:\{\\fnhalf\})?\u200E? ?(\w+)/.exec(line)?.[1],
    )
    expect(highlighted.slice(0, 3)).toEqual(['one', 'two', 'three'])
    expect(states[1]).toMatch(/^Dialogue: 2,0:00:00\.39,0:00:00\.79,/)
  })

  it('places times between frames, so that no rounding shows a word a frame late', () => {
    for (const frameRate of [
      { frames: 24, seconds: 1 },
      { frames: 30_000, seconds: 1001 },
      { frames: 60_000, seconds: 1001 },
    ]) {
      const fps = frameRate.frames / frameRate.seconds
      for (let frame = 1; frame < 2_000; frame += 7) {
        const at = hundredthOf(frame / fps, { frameRate, hasConstantRate: true }) / 100
        expect(at).toBeLessThanOrEqual(frame / fps)
        expect(at).toBeGreaterThan((frame - 1) / fps)
      }
    }
  })

  it('warns of colours that are hard to read on some picture, and of none by default', async () => {
    const warned = async (asked: Parameters<typeof planCaptionLook>[0]) =>
      (await set(said('a'), asked)).warnings
    for (const style of ['plain', 'box', 'karaoke'] as const) {
      expect(await warned({ style })).toEqual([])
    }
    expect(await warned({ style: 'box', background: '#FFFFFF' })).toEqual([
      'captions.color: #FFFFFF is hard to read on a box of #FFFFFF.',
    ])
    expect(await warned({ background: '#00000060', highlight: '#000000' })).toEqual([
      'captions.color: #FFFFFF is hard to read on a box of #00000060.',
      'captions.highlight: #000000 is hard to read on a box of #00000060.',
    ])
    expect(await warned({ style: 'karaoke', highlight: '#FFE10030' })).toEqual([
      'captions.highlight: #FFE10030 is hard to read on some pictures.',
    ])
  })
})

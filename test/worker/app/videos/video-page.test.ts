import { describe, expect, it } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { aTrace } from '../../../support/worker/attempt.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { FilmLead, PartHand } from '../../../support/worker/film.ts'
import { healthAnswer } from '../../../support/worker/media-workers.ts'
import { mostPageBytes, pageWeight } from '../../../support/worker/dashboard/page-weight.ts'
import {
  aRunningVideo,
  aTranscribedVideo,
  aVideo,
  objectKeys,
  videoRow,
} from '../../../support/worker/videos.ts'
import type { VideoView } from '../../../../worker/app/videos/read-video-view.ts'
import { Stage } from '../../../../worker/app/videos/stage.tsx'
import { anOwner } from '../../../support/worker/dashboard/visitor.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

const { media } = standInForAll()

async function aSignedInClient() {
  const client = await aClient()
  const owner = await anOwner(client.accountId)
  const show = async (videoId: string) => (await owner.get(`/app/videos/${videoId}`)).text
  return { client, owner, show }
}

describe('the page of one video', () => {
  it('plays it with its captions, and tells each word when it is said', async () => {
    const { client, show } = await aSignedInClient()
    const { videoId } = await aTranscribedVideo(client)
    const html = await show(videoId)
    expect(html).toMatch(/<video [^>]*src="https:\/\/files\.spool\.test\/files\//)
    expect(html).toMatch(
      /<track [^>]*kind="captions"[^>]*src="[^"]+\.vtt\?[^"]*"[^>]*label="English"/,
    )
    expect(html).toContain('<span data-at="0.5">Hello</span>')
    expect(html).toContain('<span data-at="1.5">&lt;Goodbye&gt; &amp; thanks.</span>')
    for (const file of ['Video', 'Captions, SRT', 'Captions, WebVTT', 'Transcript, JSON']) {
      expect(html).toContain(`>${file}</a>`)
    }
  })

  it('shows what was asked for as JSON, curl and TypeScript, without what stands for itself', async () => {
    const { client, show } = await aSignedInClient()
    const { videoId } = await aVideo(client, {
      videoName: "it's",
      removeSilence: true,
      removeNoise: false,
    })
    const html = await show(videoId)
    expect(html).toContain('&quot;removeSilence&quot;: true')
    expect(html).not.toContain('removeNoise')
    expect(html).toContain('&quot;videoName&quot;: &quot;it&#39;\\&#39;&#39;s&quot;')
    expect(html).toContain('removeSilence: true')
  })

  it('follows a video that is being made', async () => {
    const { client, show } = await aSignedInClient()
    const { videoId, attempt } = await aRunningVideo(client)
    await attempt.progress(50)
    const html = await show(videoId)
    expect(html).toMatch(/data-follow/)
    expect(html).toMatch(/<progress [^>]*value="50"/)
    expect(html).toContain('value="cancel"')
    expect(html).not.toContain('<video')
  })

  it('draws which parts of a long film other media workers render, and which they have rendered', async () => {
    const { client, show } = await aSignedInClient()
    const { videoId, attempt } = await aRunningVideo(client)
    media.current.answerHealth = () => healthAnswer({ slots: 4, running: 0 })
    const lead = new FilmLead(attempt.job)
    await lead.give(0)
    await lead.give(2)
    const [offer] = media.current.partOffers
    if (!offer) throw new Error('no part was offered')
    await new PartHand(offer.part).finish()
    const running = await show(videoId)
    expect(running).toContain('1 rendered elsewhere, 1 being rendered elsewhere.')
    expect(running).toContain('<rect class="stored"')
    const trace = { ...aTrace, plan: { parts: '5 parts' } }
    await attempt.finish({ trace })
    const over = await show(videoId)
    expect(over).toContain('The film has 5 parts: 1 rendered elsewhere, 1 not needed any more.')
    expect(over.match(/<rect class="own"/g)).toHaveLength(3)
  })

  it('says why a film was rendered by one media worker', async () => {
    const { client, show } = await aSignedInClient()
    const { videoId, attempt } = await aRunningVideo(client)
    const trace = { ...aTrace, plan: { parts: 'whole: the request asks for it' } }
    await attempt.finish({ trace })
    expect(await show(videoId)).toContain('One media worker rendered all of it: the request asks')
  })

  it('shows the still of a video that is only a stream, and the address to give to a player', async () => {
    const { client, show } = await aSignedInClient()
    const request = { outputs: [{ name: 'site', outputFormat: 'hls' }] }
    const { videoId, attempt } = await aRunningVideo(client, request)
    const site = { name: 'site', kind: 'output-site', format: 'hls', duration: 2.5, warnings: [] }
    const written = [
      await attempt.upload('output-site', 'see v360.mp4', { extension: 'm3u8' }),
      await attempt.upload('output-site.v360', 'pictures', { extension: 'mp4' }),
      await attempt.upload('thumbnail', 'a still'),
    ]
    const videoMetadata = { width: 640, height: 360, duration: 2.5, fps: 25, sizeInBytes: 8 }
    const named = [{ ...site, files: ['output-site.v360'] }]
    await attempt.succeed(written, { named, videoMetadata })
    const html = await show(videoId)
    expect(html).toContain('<strong>HLS</strong>')
    expect(html).not.toContain('<video')
    expect(html).toMatch(/<img src="[^"]+\.jpg[^"]*" alt="A still of /)
    expect(html).toContain('Plays in Safari, or with hls.js')
    expect(html).toMatch(/data-copy="https:[^"]+\/index\.m3u8"/)
    expect(html).not.toMatch(/href="[^"]+m3u8/)
  })

  it('says why a video failed and what to do', async () => {
    const { client, show } = await aSignedInClient()
    const { videoId, attempt } = await aRunningVideo(client)
    await attempt.fail({
      retryable: false,
      reason: 'source_not_media',
      message: 'it is a web page',
    })
    const html = await show(videoId)
    expect(html).toContain('it is a web page')
    expect(html).toContain('Give the address of the file itself')
    expect(html).toContain(`/app/videos/new?from=${videoId}`)
    expect(html).not.toMatch(/data-follow/)
  })

  it('says what has become of files that are gone', async () => {
    const { client, owner } = await aSignedInClient()
    const { videoId } = await aTranscribedVideo(client)
    advanceSeconds(31 * 86_400)
    const again = await anOwner(owner.accountId)
    const html = (await again.get(`/app/videos/${videoId}`)).text
    expect(html).toContain('Its files are no longer kept.')
    expect(html).toContain('Hello there.')
    expect(html).not.toContain('<video')
  })

  it('lists what could be cut out of one that was only listened to', async () => {
    const { client, show } = await aSignedInClient()
    const request = { analyzeOnly: true }
    const { videoId, attempt } = await aRunningVideo(client, request)
    const suggestions = [
      { startTime: 61, endTime: 62.5, why: 'silence' },
      { startTime: 70, endTime: 70.4, why: 'filler', text: '<um>' },
    ]
    const transcript = { status: 'failed', message: 'Transcription timed out.' } as const
    await attempt.succeed([], { videoMetadata: undefined, suggestions, transcript })
    const html = await show(videoId)
    expect(html).toContain('Spool listened to it, and made no video.')
    expect(html).toContain('1.9 s could be cut.')
    expect(html).toContain('Transcription timed out.')
    expect(html).toContain('The suggestions were made without it.')
    expect(html).not.toContain('The video itself')
    expect(html).toContain('<li>1:01, 1.5 s, nobody speaks</li>')
    expect(html).toContain('<li>1:10, 0.4 s, filler: <span dir="auto">&lt;um&gt;</span></li>')
  })

  it('shows the rest of the page when the file of the words is lost', async () => {
    const { client, show } = await aSignedInClient()
    const { videoId } = await aTranscribedVideo(client)
    const words = (await objectKeys(videoId)).filter((key) => key.includes('transcript-json'))
    expect(words).toHaveLength(1)
    await bindings.BUCKET.delete(words)
    const html = await show(videoId)
    expect(html).not.toContain('<span data-at')
    expect(html).toContain('Hello there.')
  })

  it('gives a video another name, and says what is wrong with one', async () => {
    const { client, owner } = await aSignedInClient()
    const { videoId } = await aVideo(client)
    const path = `/app/videos/${videoId}`
    const renamed = await owner.submit(path, { videoName: 'Second try' })
    expect([renamed.status, renamed.headers.get('Location')]).toEqual([303, path])
    expect((await videoRow(videoId))?.name).toBe('Second try')
    const refused = await owner.submit(path, { videoName: ' ' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('Must not be blank')
    expect(refused.text).toMatch(/<input [^>]*aria-invalid="true"/)
    expect(refused.text).toContain(`<body data-posted="${path}">`)
    expect((await videoRow(videoId))?.name).toBe('Second try')
  })

  it('shows the clips that were suggested, each with its stretch, and a form for one of them', async () => {
    const { client, owner, show } = await aSignedInClient()
    const { videoId, attempt } = await aRunningVideo(client, { suggestClips: {} })
    const found = { startTime: 12.5, endTime: 40, title: 'Why <bread>?', score: 0.71 }
    const moments = {
      clips: [{ ...found, reasons: ['begins with a question'] }],
      chapters: [{ startTime: 0, title: 'Bread' }],
    }
    await attempt.finish({ moments })
    const html = await show(videoId)
    expect(html).toMatch(/<video [^>]*src="[^"]+#t=12\.5,40"[^>]*data-clip="12\.5,40"/)
    expect(html).toContain('Why &lt;bread&gt;?')
    expect(html).toContain('score 71 of 100')
    expect(html).toContain('<li dir="auto">begins with a question</li>')
    expect(html).toMatch(/<a href="[^"]+#t=0" data-seek="0">0:00<\/a>/)
    const { text } = await owner.get(`/app/videos/new?from=${videoId}&clip=1`)
    expect(text).toMatch(
      /keepSegments&quot;: \[\s+{\s+&quot;startTime&quot;: 12.5,\s+&quot;endTime&quot;: 40/,
    )
    expect(text).toContain('&quot;aspectRatio&quot;: &quot;9:16&quot;')
    expect(text).toContain('&quot;resizeMode&quot;: &quot;follow&quot;')
    expect(text).not.toContain('&quot;suggestClips&quot;')
  })

  it('says how many words and how much of the faces is covered, and where to look', async () => {
    const { client, show } = await aSignedInClient()
    const { videoId, attempt } = await aRunningVideo(client, { bleep: ['damn'], blurFaces: true })
    const faces = { tracks: 2, seconds: 21.5, uncertainSeconds: 12 }
    const covered = { words: 3, places: [], faces }
    await attempt.finish({ covered })
    const html = await show(videoId)
    expect(html).toContain('<dt>Covered words</dt><dd><strong>3</strong></dd>')
    expect(html).toContain('(12 s where one was lost from sight, so look there)')
  })

  it('says how fast a film is, and makes a clip of it by its own times', async () => {
    const { client, owner, show } = await aSignedInClient()
    const { videoId, attempt } = await aRunningVideo(client, { suggestClips: {}, speed: 2 })
    const clip = { startTime: 12.5, endTime: 40, title: 'Why?', score: 1, reasons: [] }
    await attempt.finish({
      moments: { clips: [clip] },
    })
    expect(await show(videoId)).toContain('(at 2 times the speed)')
    const { text } = await owner.get(`/app/videos/new?from=${videoId}&clip=1`)
    expect(text).toContain('&quot;duration&quot;: 27.5')
  })

  it('plays a film that is a part of the edit from its second of that, without the captions of the whole', () => {
    const transcript = { status: 'completed', language: 'en', vttUrl: 'https://files.test/all.vtt' }
    const part = { name: 'clip-1', outputFormat: 'mp4', startTime: 12.5, duration: 3 }
    const shown = (outputs: object[]) => {
      const record = { videoName: 'One', finalVideoUrl: 'https://files.test/1.mp4', transcript }
      const view = { record: { ...record, outputs } } as unknown as VideoView
      const drawn = Stage({ view }) as unknown as { toString: () => string }
      return drawn.toString()
    }
    expect(shown([part])).toContain('data-from="12.5"')
    expect(shown([part])).not.toContain('<track')
    expect(shown([])).toContain('<track')
    expect(shown([])).not.toContain('data-from')
  })

  it('takes less than 72 kB, scripts included', async () => {
    const { client, show } = await aSignedInClient()
    const { videoId } = await aTranscribedVideo(client)
    const { bytes, scripts } = await pageWeight(await show(videoId))
    expect(scripts).toContain('/scripts/video.js')
    expect(bytes).toBeLessThan(mostPageBytes)

    const words = Array.from({ length: 10 }, (_, i) => ({
      ...{ startTime: i, endTime: i + 0.5, text: `word${i * 7919}` },
    }))
    const sentence = { startTime: 0, endTime: 10, text: 'Long', words }
    const hours = {
      text: 'Long',
      language: 'en',
      segments: Array(4_000).fill(sentence) as unknown[],
    }
    const [key = ''] = (await objectKeys(videoId)).filter((one) => one.includes('transcript-json'))
    await bindings.BUCKET.put(key, JSON.stringify(hours))
    const long = await show(videoId)
    expect((await pageWeight(long)).bytes).toBeLessThan(mostPageBytes)
    // Scripts bring the rest, from the first sentence that is not here.
    expect(long).toMatch(/data-said[^>]* data-rest="150" data-more="[^"]+format=json"/)
    // Lists that are not in view cost a browser nothing while the words are scrolled.
    expect(long.match(/<ol><li>/g)).toHaveLength(8)
  })
})

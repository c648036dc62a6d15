import { describe, expect, it, vi } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { archiveAll } from '../../../support/worker/archived.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { mostPageBytes, pageWeight } from '../../../support/worker/dashboard/page-weight.ts'
import { aFinishedVideo, aRunningVideo, aVideo } from '../../../support/worker/videos.ts'
import { anOwner, type Visitor } from '../../../support/worker/dashboard/visitor.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()

async function anAccountWithVideos(count: number, name = (i: number) => `talk ${i}`) {
  const client = await aClient()
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    advanceSeconds(1)
    ids.push((await aVideo(client, { videoName: name(i) })).videoId)
  }
  return { client, ids, owner: await anOwner(client.accountId) }
}

const shownIds = (html: string) =>
  [...html.matchAll(/<li class="video" data-key="([^"]+)"/g)].map(([, id]) => id)

const editsIn = (html: string) =>
  [...html.matchAll(/<ul class="edits"[^>]*>(.*?)<\/ul>/gs)].map(([, all = '']) =>
    [...all.matchAll(/<li>([^<]+)/g)].map(([, edit]) => edit),
  )

async function list(owner: Visitor, query = ''): Promise<string> {
  const { status, text } = await owner.get(`/app/videos${query}`)
  expect(status).toBe(200)
  return text
}

function hrefOf(html: string, text: string): string {
  const [, href = ''] = new RegExp(`href="([^"]+)"[^>]*>${text}<`).exec(html) ?? []
  return href.replaceAll('&amp;', '&')
}

describe('the list of videos', () => {
  it('says what will be here while there is nothing, and makes the key that a command needs', async () => {
    const owner = await anOwner()
    const html = await list(owner)
    expect(html).toContain('No videos yet')
    expect(hrefOf(html, 'Make your first video')).toBe('/app/videos/new')
    expect(html).not.toContain('curl')
    const scopes = [...html.matchAll(/name="scopes" value="([^"]+)"/g)].map(
      ([, scope = '']) => scope,
    )
    expect(scopes).toEqual(['videos:read', 'videos:write'])
    const { text } = await owner.submit('/app/keys', { name: 'My terminal', scopes })
    expect(text).toMatch(
      /Bearer spool_\w{32}&#39; [\s\S]+&quot;aspectRatio&quot;: &quot;9:16&quot;/,
    )
    expect(html).toContain('data-poll-ms')
  })

  it('shows the newest first, a page at a time', async () => {
    const { owner, ids } = await anAccountWithVideos(27)
    const first = await list(owner)
    expect(shownIds(first)).toEqual(ids.toReversed().slice(0, 25))
    const second = await owner.get(hrefOf(first, 'Older'))
    expect(shownIds(second.text)).toEqual(ids.toReversed().slice(25))
    expect(hrefOf(second.text, 'Newest')).toBe('/app/videos')
    expect(hrefOf(second.text, 'Older')).toBe('')
  })

  it('counts each status, and shows one of them', async () => {
    const { client, owner } = await anAccountWithVideos(2)
    const running = await aRunningVideo(client, { videoName: 'at work' })
    await running.attempt.progress(40)
    const { videoId } = await aFinishedVideo(client, { enableThumbnail: true })
    const html = await list(owner)
    for (const word of ['Queued 2', 'Working 1', 'Ready 1', 'Failed 0'])
      expect(html).toContain(word)
    expect(html).toMatch(/Rendering 40 %|Working 40 %/)
    expect(html).toMatch(/<progress [^>]*value="40"/)
    const ready = await list(owner, '?status=succeeded')
    expect(shownIds(ready)).toEqual([videoId])
    expect(ready).toMatch(/<img src="https:\/\/files\.spool\.test\/files\//)
  })

  it('shows a still of every finished video, and what was done in a word or two each', async () => {
    const { client, attempt } = await aRunningVideo(undefined, {
      aspectRatio: '9:16',
      captions: {},
      normalizeAudio: true,
      elements: [{ type: 'text', text: 'Hello' }],
    })
    await attempt.succeed([
      await attempt.upload('final', 'f'),
      await attempt.upload('thumbnail', 's'),
    ])
    await aVideo(client)
    const html = await list(await anOwner(client.accountId))
    expect(html.match(/<img src="https:\/\/files\.spool\.test\/files\//g)).toHaveLength(1)
    const edits = [['9:16', 'captions', 'overlays', 'clean\u00a0sound']]
    expect(editsIn(html)).toEqual(edits)
    await archiveAll()
    expect(editsIn(await list(await anOwner(client.accountId), '?archived=true'))).toEqual(edits)
  })

  it('shows archived videos by themselves, a page at a time, finds one by its id, and deletes it', async () => {
    const client = await aClient()
    const ids: string[] = []
    for (let i = 0; i < 27; i++) {
      advanceSeconds(1)
      const { videoId } = await aVideo(client, { videoName: `old ${i}` })
      await client.post(`/v1/videos/${videoId}/cancel`)
      ids.push(videoId)
    }
    await archiveAll()
    const owner = await anOwner(client.accountId)
    expect(hrefOf(await list(owner), 'the archive')).toBe('/app/videos?archived=true')
    const { videoId: fresh } = await aVideo(client)
    const html = await list(owner)
    expect(shownIds(html)).toEqual([fresh])
    const [, href] = /href="([^"]+)"[^>]*>\s*Archived/.exec(html) ?? []
    expect(href).toBe('/app/videos?archived=true')
    const first = await list(owner, '?archived=true')
    expect(shownIds(first)).toEqual(ids.toReversed().slice(0, 25))
    expect(first).toMatch(/aria-current="true"[^>]*>\s*Archived/)
    expect(first).toContain('old 26')
    expect(first).not.toContain('data-poll-ms')
    expect(first).not.toContain('value="cancel"')
    const second = await owner.get(hrefOf(first, 'Older'))
    expect(shownIds(second.text)).toEqual(ids.toReversed().slice(25))
    expect(hrefOf(second.text, 'Newest')).toBe('/app/videos?archived=true')
    const [oldest = ''] = ids
    expect(shownIds(await list(owner, `?q=${oldest}`))).toEqual([oldest])
    expect((await owner.get(`/app/videos/${oldest}`)).text).toContain('old 0')

    const form = { videoId: oldest, back: '/app/videos?archived=true' }
    const question = await owner.submit('/app/videos', { ...form, action: 'delete' })
    expect(question.text).toContain('old 0')
    const deleted = await owner.submit('/app/videos', { ...form, action: 'delete-confirmed' })
    expect(deleted.headers.get('Location')).toContain('/app/videos?archived=true')
    expect(shownIds(await list(owner, `?q=${oldest}`))).toEqual([])
    const stranger = await anOwner((await aClient()).accountId)
    expect(await list(stranger, '?archived=true')).toContain('No video is archived.')
  })

  it('finds videos by a part of their name, and by their id', async () => {
    const { owner, ids } = await anAccountWithVideos(
      3,
      (i) => ['Übung eins', 'Rede', 'übung zwei'][i] ?? '',
    )
    expect(shownIds(await list(owner, '?q=UBUNG'))).toEqual([ids[2], ids[0]])
    expect(shownIds(await list(owner, `?q=${ids[1] ?? ''}`))).toEqual([ids[1]])
    expect(shownIds(await list(owner, '?q=ubung&status=failed'))).toEqual([])
    const nothing = await list(owner, '?q=%3Cscript%3E')
    expect(nothing).toContain('No video has “&lt;script&gt;” in its name')
  })

  it('shows names of any length and direction as text', async () => {
    const names = ['<b>bold</b>', 'م'.repeat(200), 'x'.repeat(255)]
    const { owner } = await anAccountWithVideos(3, (i) => names[i] ?? '')
    const html = await list(owner)
    expect(html).toContain('&lt;b&gt;bold&lt;/b&gt;')
    expect(html).not.toContain('<b>')
    expect(html.match(/class="name"[^>]*dir="auto"/g)).toHaveLength(3)
  })

  it('says of a failed video why, and offers to do it again', async () => {
    const { client, owner } = await anAccountWithVideos(0)
    const { attempt, videoId } = await aRunningVideo(client)
    await attempt.fail({ retryable: false, message: 'the address answered 404' })
    const html = await list(owner)
    expect(html).toContain('the address answered 404')
    expect(hrefOf(html, 'Do it again')).toBe(`/app/videos/new?from=${videoId}`)
  })

  it('shows the same picture at the same address for an hour', async () => {
    const { client, owner } = await anAccountWithVideos(0)
    await aFinishedVideo(client, { enableThumbnail: true })
    advanceSeconds(3600 - (Math.floor(Date.now() / 1000) % 3600))
    const src = (html: string) => /<img src="([^"]+)"/.exec(html)?.[1]
    const first = src(await list(owner))
    advanceSeconds(3599)
    expect(src(await list(owner))).toBe(first)
  })

  it('shows no video of another account', async () => {
    const { ids } = await anAccountWithVideos(1)
    const stranger = await anOwner()
    expect(await list(stranger)).toContain('No videos yet')
    expect(shownIds(await list(stranger, `?q=${ids[0] ?? ''}`))).toEqual([])
  })

  it('shows the whole list for an address that was mistyped', async () => {
    const { owner, ids } = await anAccountWithVideos(1)
    for (const query of ['?status=finished', '?cursor=nonsense', '?done=<b>.1.1', '?q=']) {
      expect(shownIds(await list(owner, query))).toEqual(ids)
    }
  })

  it('says that it could not be read, with a way to try again and what to tell the operator', async () => {
    const { owner } = await anAccountWithVideos(1)
    const statement = prototypeOf(bindings.DB.prepare('SELECT 1'))
    const all = vi.spyOn(statement, 'raw').mockRejectedValue(new Error('no such table: videos'))
    const page = await owner.get('/app/videos')
    all.mockRestore()
    expect(page.status).toBe(500)
    expect(page.text).toContain('<a href="">Try again</a>')
    expect(hrefOf(page.text, 'Your videos')).toBe('/app/videos')
    expect(page.text).toContain(page.headers.get('X-Request-Id'))
    expect(page.text).not.toContain('no such table')
    expect(shownIds(await list(owner))).toHaveLength(1)
  })

  it('takes less than 72 kB, scripts included, with 25 of the longest names', async () => {
    const { owner } = await anAccountWithVideos(
      25,
      (i) => crypto.randomUUID().repeat(7) + String(i),
    )
    const { bytes, scripts } = await pageWeight(await list(owner))
    expect(scripts).toContain('/scripts/videos.js')
    expect(bytes).toBeLessThan(mostPageBytes)
  })
})

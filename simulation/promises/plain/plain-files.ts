import type { PlainSession } from '../../actors/plain-session.ts'
import type { Plainly } from './plain-parts.ts'

type Video = { videoId: string; finalVideoUrl?: string; videoMetadata?: { sizeInBytes: number } }

/** Longer than a video takes. */
const madeWithinSeconds = 7_200
const stepSeconds = 30
const keptMs = 60_000
/** In place of the link of a video that was not made. */
const bucketRoot = 'https://spool.example.com/'

/** A link leads to the file that was made, or to a part of it, until its video is deleted; a link that was changed leads nowhere. */
export async function judgeFiles(parts: Plainly): Promise<void> {
  const first = await make(parts)
  if (first.finalVideoUrl === undefined) return
  await judgeLink(parts, first)
  const second = await make(parts)
  // It has the same files for weeks, in which they have to be known as those of a deleted video.
  await make(parts)
  await judgeDeleted(parts, first, second)
  await judgeLost(parts)
  await judgeExpired(parts)
}

/** A link ends at the moment at which the files of its video do, also before a sweep has removed them. */
async function judgeExpired(parts: Plainly): Promise<void> {
  const { own, database, files, world } = parts
  const { videoId } = await make(parts, { reuse: false })
  // As if they had been kept for weeks.
  const sql = 'UPDATE videos SET files_expire_at = ? WHERE id = ? AND files_expire_at IS NOT NULL'
  database.read(sql, world.loop.wall + keptMs, videoId)
  const video = (await own.expect(200, ['GET', `/v1/videos/${videoId}`])) as Video
  // In some worlds it is made too late.
  if (video.finalVideoUrl === undefined) return
  const statusNow = async () => (await own.ask(['GET', linkOf(video)]))?.status
  own.same('a link before its files end', await statusNow(), 200)
  await own.pause(keptMs + 1_000)
  own.same('a link after that', await statusNow(), 403)
  files.deleting(videoId)
  await own.expect(204, ['DELETE', `/v1/videos/${videoId}`])
}

/** A result of which somebody has removed a file by hand is given to nobody: the same is made once more. */
async function judgeLost(parts: Plainly): Promise<void> {
  const { own, bucket, files } = parts
  const lost = await make(parts, { enableThumbnail: true })
  for (const key of bucket.objects.keys())
    if (key.includes(lost.videoId) && key.includes('/final.')) bucket.lose(key)
  const again = await make(parts, { enableThumbnail: true })
  // In some worlds it is made too late.
  if (again.finalVideoUrl !== undefined)
    own.same('a link to what was made again', (await own.ask(['GET', linkOf(again)]))?.status, 200)
  files.deleting(lost.videoId)
  await own.expect(204, ['DELETE', `/v1/videos/${lost.videoId}`])
}

async function make({ own }: Plainly, more: Record<string, unknown> = {}): Promise<Video> {
  const wish = { fileUrl: 'https://sources.example.com/twice.mp4', ...more }
  const { videoId } = await own.expect(202, ['POST', '/v1/videos', wish])
  const read = async () => own.expect(200, ['GET', `/v1/videos/${String(videoId)}`])
  for (let seconds = 0; seconds < madeWithinSeconds; seconds += stepSeconds) {
    if ((await read())['finalVideoUrl'] !== undefined) break
    await own.pause(stepSeconds * 1_000)
  }
  return (await read()) as Video
}

function linkOf({ finalVideoUrl = bucketRoot }: Video): string {
  const { pathname, search } = new URL(finalVideoUrl)
  return pathname + search
}

async function judgeLink({ own, world }: Plainly, video: Video): Promise<void> {
  const link = linkOf(video)
  const read = async (path: string, range?: string): Promise<[number, string]> => {
    const answer = await own.ask(['GET', path], range === undefined ? {} : { Range: range })
    return [answer?.status ?? 0, answer?.text ?? '']
  }
  const [status, text] = await read(link)
  own.same('a link', [status, text.length], [200, video.videoMetadata?.sizeInBytes])
  if (!/ made at fence \d+$/.test(text)) world.break(`${link} leads to something else: ${text}`)
  own.same('the middle of a file', await read(link, 'bytes=2-5'), [206, text.slice(2, 6)])
  own.same('the end of a file', await read(link, 'bytes=-4'), [206, text.slice(-4)])
  own.same('what is behind a file', (await read(link, 'bytes=100000-'))[0], 416)
  await judgeConditions(own, link, text)
  const token = link.split('/')[2] ?? ''
  const [id = '', kind = '', until = ''] = token.split('.')
  const later = token.replace(until, String(Number(until) + 1))
  const other = token.replace(`.${kind}.`, '.thumbnail.')
  const stranger = token.replace(id, `${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`)
  for (const forged of [later, other, stranger]) {
    own.same('a link that was changed', (await read(link.replace(token, forged)))[0], 403)
  }
}

/** A customer who has a copy is told whether it is still the same, and never gets parts of another file. */
async function judgeConditions(own: PlainSession, link: string, text: string): Promise<void> {
  const ask = async (method: string, headers: Record<string, string> = {}) => {
    const answer = await own.ask([method, link], headers)
    return { status: answer?.status, text: answer?.text ?? '', headers: answer?.headers }
  }
  const head = await ask('HEAD', { Range: 'bytes=2-5' })
  const told = [head.status, head.text, head.headers?.get('Content-Length')]
  own.same('the head of a file', told, [200, '', `${text.length}`])
  const etag = head.headers?.get('ETag') ?? ''
  const other = '"another"'
  const cases = [
    [{ 'If-None-Match': etag }, 304],
    [{ 'If-None-Match': `W/${etag}, ${other}` }, 304],
    [{ 'If-None-Match': other }, 200],
    [{ 'If-Match': etag }, 200],
    [{ 'If-Match': `W/${etag}` }, 412],
    [{ 'If-Match': other }, 412],
    [{ 'If-Range': etag, Range: 'bytes=2-5' }, 206],
    [{ 'If-Range': other, Range: 'bytes=2-5' }, 200],
  ] as const
  for (const [headers, status] of cases)
    own.same(`a file with ${JSON.stringify(headers)}`, (await ask('GET', headers)).status, status)
  const saved = await own.ask(['GET', `${link}${link.includes('?') ? '&' : '?'}download=1`])
  const shown = [head, saved].map((one) => one?.headers?.get('Content-Disposition')?.split(';')[0])
  own.same('how a file is shown', shown, ['inline', 'attachment'])
}

/** Two videos may have the same files. The links of one end with it, and those of the other one go on. */
async function judgeDeleted(parts: Plainly, first: Video, second: Video): Promise<void> {
  const { own, files, database } = parts
  const sql = 'SELECT id FROM videos WHERE id = ? AND files_of = ?'
  // Some media workers make the same in another way.
  const isShared = database.read(sql, second.videoId, first.videoId).length > 0
  const statusOf = async (video: Video) => (await own.ask(['GET', linkOf(video)]))?.status
  for (const [video, other] of [
    [first, 200],
    [second, 404],
  ] as const) {
    files.deleting(video.videoId)
    await own.expect(204, ['DELETE', `/v1/videos/${video.videoId}`])
    own.same('a link of a deleted video', await statusOf(video), 404)
    if (isShared) own.same('a link of the other one', await statusOf(second), other)
  }
}

type FeedPage = { data: { webhookId: string; videoId: string; body: string }[]; nextCursor: string }

/** The feed tells each end once, in their order, and with the body that webhooks had. */
export async function judgeFeed({ own, account, database }: Plainly): Promise<void> {
  const rows = database.read<{ id: string; event: string; body: string | null }>(
    `SELECT v.id, v.terminal_event_id AS event, e.body FROM videos AS v LEFT JOIN webhook_events AS e ON e.id = v.terminal_event_id
     WHERE v.account_id = ? AND v.finished_at IS NOT NULL ORDER BY v.ended_order`,
    account.accountId,
  )
  const told: FeedPage['data'] = []
  for (let query = 'since=2000-01-01T00:00:00Z', isMore = true; isMore;) {
    const page = (await own.expect(200, [
      'GET',
      `/v1/webhooks/events?limit=7&${query}`,
    ])) as FeedPage
    told.push(...page.data)
    query = `cursor=${page.nextCursor}`
    isMore = page.data.length > 0 && told.length <= rows.length
  }
  const ends = told.map(({ videoId, webhookId }) => `${videoId} ${webhookId}`)
  own.same(
    'the feed',
    ends,
    rows.map(({ id, event }) => `${id} ${event}`),
  )
  for (const [i, { body }] of rows.entries()) {
    if (body !== null) own.same('the body of an event in the feed', told[i]?.body, body)
  }
}

import type { PlainSession } from '../../actors/plain-session.ts'
import type { Plainly } from './plain-parts.ts'

type Video = {
  videoId: string
  finalVideoUrl?: string
  videoMetadata?: { sizeInBytes: number }
  /** The second of them consists of two files. */
  outputs?: { url?: string; files?: { url?: string }[] }[]
}

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
  await judgeFolder(parts, first)
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
  const read = async () => own.expect(200, ['GET', `/v1/videos/${videoId}`])
  // As if they had been kept for weeks.
  const [withoutQuery = ''] = linkOf((await read()) as Video).split('?')
  const sql = 'UPDATE videos SET files_expire_at = ? WHERE id = ? AND files_expire_at IS NOT NULL'
  database.read(sql, world.loop.wall + keptMs, videoId)
  const video = (await read()) as Video
  // In some worlds it is made too late.
  if (video.finalVideoUrl === undefined) return
  const statusNow = async () => (await own.ask(['GET', linkOf(video)]))?.status
  own.same('a link before its files end', await statusNow(), 200)
  own.same('one of several files', (await own.ask(['GET', folderOf(video)]))?.status, 200)
  await own.pause(keptMs + 1_000)
  own.same('a link after that', await statusNow(), 403)
  own.same('that of several files', (await own.ask(['GET', folderOf(video)]))?.status, 403)
  // Its time was not over when it was made, but that of its file is.
  const earlier = (await own.ask(['GET', withoutQuery]))?.status
  own.same('a link of before that names no file', earlier, 404)
  own.same('what a record links to then', (await read())['finalVideoUrl'], undefined)
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
  const outputs = [{ name: 'first' }, { name: 'second' }]
  const wish = { fileUrl: 'https://sources.example.com/twice.mp4', outputs, ...more }
  const { videoId } = await own.expect(202, ['POST', '/v1/videos', wish])
  const read = async () => own.expect(200, ['GET', `/v1/videos/${String(videoId)}`])
  for (let seconds = 0; seconds < madeWithinSeconds; seconds += stepSeconds) {
    if ((await read())['finalVideoUrl'] !== undefined) break
    await own.pause(stepSeconds * 1_000)
  }
  return (await read()) as Video
}

function linkOf({ finalVideoUrl = bucketRoot }: Video): string {
  return pathOf(finalVideoUrl)
}

/** The link of an output of several files, whose names follow the token. */
function folderOf({ outputs = [] }: Video): string {
  return pathOf(outputs[1]?.url ?? bucketRoot)
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** One token opens all files of an output, and nothing else. */
async function judgeFolder({ own }: Plainly, video: Video): Promise<void> {
  const link = folderOf(video)
  const [, , token = '', name = ''] = link.split('/')
  const other = pathOf(video.outputs?.[1]?.files?.[0]?.url ?? bucketRoot)
  const read = async (path: string): Promise<[number | undefined, string | undefined]> => {
    const answer = await own.ask(['GET', path])
    return [answer?.status, answer?.text]
  }
  const [one, two] = [await read(link), await read(other)]
  own.same('both files of an output', [one[0], two[0]], [200, 200])
  own.same('whether they are one', one[1] === two[1], false)
  own.same('a file beside another', await read(link.replace(name, 'v1.mp4')), two)
  own.same('a file that is not there', (await read(link.replace(name, 'v2.mp4')))[0], 404)
  const [id = '', kind = '', fence = '', until = '', mac = ''] = token.split('.')
  const strange = `${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`
  const forged = [
    [id, kind, fence, Number(until) + 1, mac],
    [id, kind, Number(fence) + 1, until, mac],
    [id, 'final', fence, until, mac],
    [strange, kind, fence, until, mac],
  ]
  for (const parts of forged)
    own.same('files that are forged', (await read(link.replace(token, parts.join('.'))))[0], 403)
}

async function judgeLink({ own, world }: Plainly, video: Video): Promise<void> {
  const link = linkOf(video)
  const read = async (asked: string): Promise<[number, string]> => {
    const answer = await own.ask(['GET', asked])
    return [answer?.status ?? 0, answer?.text ?? '']
  }
  const [status, text] = await read(link)
  own.same('a link', [status, text.length], [200, video.videoMetadata?.sizeInBytes])
  if (!/ made at fence \d+$/.test(text)) world.break(`${link} leads to something else: ${text}`)
  await judgeBeside(own, link)
  await judgeRanges(own, link, text)
  await judgeConditions(own, link, text)
  const token = link.split('/')[2] ?? ''
  const [id = '', kind = '', until = ''] = token.split('.')
  const later = token.replace(until, String(Number(until) + 1))
  const other = token.replace(`.${kind}.`, '.thumbnail.')
  const stranger = token.replace(id, `${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`)
  for (const forged of [later, other, stranger]) {
    own.same('a link that was changed', (await read(link.replace(token, forged)))[0], 403)
  }
  // What the query says of the file counts only as it was signed. Without it, the row is asked.
  const [path = '', query = ''] = link.split('?')
  const shorter = query.replace(/\.\d+\.(\w+)$/, '.3.$1')
  for (const [what, changed] of [
    ['without its query', path],
    ['with another size', `${path}?${shorter}`],
  ] as const) {
    own.same(`a link ${what}`, await read(changed), [200, text])
  }
}

/** What players, caches and the pages of other sites have to know of a file is told with each of its answers. */
async function judgeBeside(own: PlainSession, link: string): Promise<void> {
  const told = {
    'Content-Type': 'video/mp4',
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'Access-Control-Allow-Origin': '*',
  }
  for (const [method, headers] of [
    ['GET', {}],
    ['GET', { Range: 'bytes=2-5' }],
    ['HEAD', {}],
  ] as const) {
    const answer = await own.ask([method, link], headers)
    for (const [name, value] of Object.entries(told))
      own.same(`the ${name} of a file`, answer?.headers.get(name), value)
    const readable = answer?.headers.get('Access-Control-Expose-Headers') ?? ''
    for (const name of ['Content-Range', 'ETag'])
      own.same(`whether pages may read the ${name} of a file`, readable.includes(name), true)
  }
  const asked = (await own.ask(['OPTIONS', link], { Origin: 'https://player.example.com' }))
    ?.headers
  const may = asked?.get('Access-Control-Allow-Headers') ?? ''
  own.same('whether pages may ask for a part of a file', may.includes('Range'), true)
}

/** A range has the bytes that it names, as far as the file has them, and tells which they are. A header that names no range gets the whole file. */
async function judgeRanges(own: PlainSession, link: string, text: string): Promise<void> {
  const { length } = text
  const last = length - 1
  const cases: [string, number, string, string | undefined][] = [
    ['bytes=2-5', 206, text.slice(2, 6), `2-5/${length}`],
    ['bytes=2-', 206, text.slice(2), `2-${last}/${length}`],
    [`bytes=2-${length}`, 206, text.slice(2), `2-${last}/${length}`],
    [`bytes=${last}-`, 206, text.slice(last), `${last}-${last}/${length}`],
    ['bytes=-4', 206, text.slice(-4), `${length - 4}-${last}/${length}`],
    [`bytes=-${length + 1}`, 206, text, `0-${last}/${length}`],
    ['bytes=5-2', 200, text, undefined],
    [`bytes=${length}-`, 416, '', `*/${length}`],
    ['bytes=-0', 416, '', `*/${length}`],
  ]
  for (const [range, ...expected] of cases) {
    const answer = await own.ask(['GET', link], { Range: range })
    const which = answer?.headers.get('Content-Range')?.replace('bytes ', '')
    own.same(`a file from ${range}`, [answer?.status, answer?.text, which], expected)
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
  const made = head.headers?.get('Last-Modified') ?? ''
  const before = new Date(Date.parse(made) - 1_000).toUTCString()
  const cases = [
    [{ 'If-None-Match': etag }, 304],
    [{ 'If-None-Match': `W/${etag}, ${other}` }, 304],
    [{ 'If-None-Match': other }, 200],
    [{ 'If-Match': etag }, 200],
    [{ 'If-Match': `W/${etag}` }, 412],
    [{ 'If-Match': other }, 412],
    [{ 'If-Range': etag, Range: 'bytes=2-5' }, 206],
    [{ 'If-Range': other, Range: 'bytes=2-5' }, 200],
    [{ 'If-Range': made, Range: 'bytes=2-5' }, 206],
    [{ 'If-Range': before, Range: 'bytes=2-5' }, 200],
    [{ 'If-Modified-Since': made }, 304],
    [{ 'If-Modified-Since': before }, 200],
    [{ 'If-Unmodified-Since': made }, 200],
    [{ 'If-Unmodified-Since': before }, 412],
    // A tag says more than a time.
    [{ 'If-None-Match': other, 'If-Modified-Since': made }, 200],
    [{ 'If-Match': etag, 'If-Unmodified-Since': before }, 200],
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
  const statusOf = async (video: Video, method = 'GET') =>
    (await own.ask([method, linkOf(video)]))?.status
  for (const [video, other] of [
    [first, 200],
    [second, 404],
  ] as const) {
    files.deleting(video.videoId)
    await own.expect(204, ['DELETE', `/v1/videos/${video.videoId}`])
    own.same('a link of a deleted video', await statusOf(video), 404)
    const ofSeveral = (await own.ask(['GET', folderOf(video)]))?.status
    own.same('one of several files of a deleted video', ofSeveral, 404)
    own.same('the head of such a link', await statusOf(video, 'HEAD'), 404)
    await own.expect(404, ['DELETE', `/v1/videos/${video.videoId}`])
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
  const told = await readFeed(own, rows.length)
  await own.pause(2_000)
  own.same('the feed a moment later', await readFeed(own, rows.length), told)
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

/** All of it, page by page. */
async function readFeed(own: PlainSession, count: number): Promise<FeedPage['data']> {
  const told: FeedPage['data'] = []
  for (let query = 'since=2000-01-01T00:00:00Z', isMore = true; isMore;) {
    const path = `/v1/webhooks/events?limit=${pageSize}&${query}`
    const { data, nextCursor } = (await own.expect(200, ['GET', path])) as FeedPage
    if (told.length + data.length < count)
      own.same('how many ends a page has', data.length, pageSize)
    told.push(...data)
    query = `cursor=${nextCursor}`
    isMore = data.length > 0 && told.length <= count
  }
  return told
}

const pageSize = 7

import { PlainSession } from '../../actors/plain-session.ts'
import type { Plainly } from './plain-parts.ts'
import { judgeDaysOfUse } from './plain-usage.ts'

const fileUrl = 'https://sources.example.com/plain.mp4'
const formats = ['txt', 'srt', 'vtt'] as const

type Row = { id: string; outputs: string }
type Told = Record<string, unknown>

/** A transcript is read as the record of its video tells of it, and in each format as its file is. Without one, the answer says why. */
export async function judgeTranscripts({ own, other, database, bucket, account, world }: Plainly) {
  const [row] = database.read<Row>(
    `SELECT id, result ->> 'outputs' AS outputs FROM videos WHERE account_id = ? AND status = 'succeeded'
     AND transcript_status = 'completed' AND files_expire_at > ? AND transcript ->> '$.renamed' IS NULL
     AND result ->> '$.outputs.transcript-txt' IS NOT NULL`,
    ...[account.accountId, `${world.loop.wall}`],
  )
  if (row) {
    const path = `/v1/videos/${row.id}/transcript`
    const { transcript } = await own.expect(200, ['GET', `/v1/videos/${row.id}`])
    const told = await own.expect(200, ['GET', path])
    const { text, language, confidence, speakers } = transcript as Told
    const read = [told['text'], told['language'], told['confidence'], told['speakers']]
    own.same('a transcript', read, [text, language, confidence, speakers])
    const files = JSON.parse(row.outputs) as Record<string, { key: string }>
    for (const format of formats) {
      const stored = bucket.objects.get(files[`transcript-${format}`]?.key ?? '')
      const answer = await own.ask(['GET', `${path}?format=${format}`])
      own.same(`a transcript as ${format}`, answer?.text, new TextDecoder().decode(stored?.bytes))
    }
    const whole = await own.expect(200, ['GET', `${path}?format=json`])
    own.same('the text of its segments', (whole['segments'] as Told[]).length > 0, true)
    await other.expect(404, ['GET', path])
    await judgeNamed(own, path, told)
  }
  const wish = { fileUrl, reuse: false, enableTranscription: true }
  const { videoId } = await own.expect(202, ['POST', '/v1/videos', wish])
  const early = `/v1/videos/${String(videoId)}`
  await own.expect(409, ['GET', `${early}/transcript`])
  await own.expect(200, ['POST', `${early}/cancel`, {}])
  await own.expect(404, ['GET', `${early}/transcript`])
  await own.expect(404, ['GET', `/v1/videos/${await own.sendAndCancel()}/transcript`])
}

/** The names that speakers are given stand in the transcript in every format at once. */
async function judgeNamed(own: PlainSession, path: string, { speakers }: Told): Promise<void> {
  const [first] = (speakers ?? []) as { name: string; heardAs?: string[] }[]
  if (!first) return
  const name = 'Somebody with a plain name'
  const speakerNames = { [first.heardAs?.[0] ?? first.name]: name }
  await own.expect(200, ['PATCH', path.replace('/transcript', ''), { speakerNames }])
  for (const query of ['', '?format=json', ...formats.map((format) => `?format=${format}`)]) {
    const answer = await own.ask(['GET', path + query])
    own.same(`a name in a transcript ${query}`, answer?.text.includes(name), true)
  }
}

/** What an account has at work, and what it has used on each day, is what its rows say, and nothing of another account. */
export async function judgeUsage(parts: Plainly): Promise<void> {
  const { own, other, account, accounts, database, world, exchange } = parts
  const busy = await other.expect(202, ['POST', '/v1/videos', { fileUrl, reuse: false }])
  const counts = (accountId = '') =>
    ['queued', 'running'].map((status) =>
      Number(
        database.read(
          'SELECT count(*) AS n FROM videos WHERE account_id = ? AND status = ?',
          ...[accountId, status],
        )[0]?.['n'],
      ),
    )
  for (const [by, { accountId }] of [
    [own, account],
    [other, accounts[0] ?? account],
  ] as const) {
    const before = counts(accountId)
    const told = await by.expect(200, ['GET', '/v1/usage'])
    const now = told['now'] as Told
    // What begins at that moment may be told or not.
    if (counts(accountId).join() === before.join())
      by.same('what an account has at work', [now['queued'], now['running']], before)
  }
  for (const one of accounts)
    await judgeDaysOfUse(new PlainSession({ world, exchange }, one), one.accountId, database)
  await other.ask(['POST', `/v1/videos/${String(busy['videoId'])}/cancel`, {}])
}

import { Browser } from '../../../actors/browser.ts'
import type { Plainly } from '../plain-parts.ts'

type Row = { id: string; name: string; status: string }

/** Far more than an account has here. */
const mostPages = 60
const names = [
  'Élan vital of the sea',
  'The SEA and its elan',
  'Vital elan',
  'A sea of élans vitaux',
]
/** The last is a part of many names, more than are looked at together. */
const searches = ['vital elan', 'ÉLAN', 'sea  vital', 'sea nothing', names[2] ?? '', 'o']

/** A search finds each name that has all of its words, in whatever case, with or without accents, the newest first, and once. */
export async function judgeSearch(parts: Plainly): Promise<void> {
  const { own, other, operator, account, database } = parts
  const wish = { fileUrl: 'https://sources.example.com/searched.mp4' }
  for (const [i, videoName] of names.entries()) {
    const by = i === 1 ? own : i === names.length - 1 ? other : own
    const { videoId } = await by.expect(202, ['POST', '/v1/videos', { ...wish, videoName }])
    await by.ask(['POST', `/v1/videos/${String(videoId)}/cancel`, {}])
  }
  const browser = new Browser(parts)
  const { url } = await operator.command({
    command: 'people.link',
    accountId: account.accountId,
  })
  await browser.open(new URL(String(url)).pathname)
  const rows = () =>
    database.read<Row>(
      'SELECT id, name, status FROM videos WHERE account_id = ? ORDER BY created_at DESC, id DESC',
      account.accountId,
    )
  for (const q of searches) {
    for (const status of ['', 'canceled']) {
      const expected = rows().filter(
        (row) => matches(row.name, q) && (status === '' || row.status === status),
      )
      const found = await foundIn(browser, { q, ...(status && { status }) })
      own.same(
        `what is found by "${q}" ${status}`,
        found,
        expected.map(({ id }) => id),
      )
    }
  }
  const [one] = rows()
  own.same('a video that is sought by its id', await foundIn(browser, { q: one?.id ?? '' }), [
    one?.id,
  ])
  const [theirs] = database.read('SELECT id FROM videos WHERE account_id != ?', account.accountId)
  own.same('a strange one', await foundIn(browser, { q: String(theirs?.['id']) }), [])
}

function matches(name: string, q: string): boolean {
  const plain = (text: string): string =>
    text
      .normalize('NFD')
      .replaceAll(/[\u0300-\u036f]/g, '')
      .toUpperCase()
  return q.split(' ').every((word) => plain(name).includes(plain(word)))
}

/** The videos on all pages of a search, in their order. */
async function foundIn(browser: Browser, query: Record<string, string>): Promise<string[]> {
  const ids: string[] = []
  let cursor = ''
  for (let page = 0; page < mostPages; page++) {
    const asked = new URLSearchParams({ ...query, ...(cursor && { cursor }) })
    const html = (await browser.open(`/app/videos?${asked.toString()}`))?.text ?? ''
    const shown = [...html.matchAll(/href="\/app\/videos\/(v_\w{8})"/g)].map(([, id = '']) => id)
    ids.push(...new Set(shown))
    cursor = /href="\/app\/videos\?[^"]*cursor=([^"&]+)/.exec(html)?.[1] ?? ''
    if (cursor === '') return ids
    cursor = decodeURIComponent(cursor)
  }
  return [...ids, 'and so on']
}

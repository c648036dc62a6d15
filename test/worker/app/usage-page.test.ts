import { describe, expect, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { aFinishedVideo } from '../../support/worker/videos.ts'
import { anOwner } from '../../support/worker/dashboard/visitor.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

const path = '/app/usage'

describe('the page of usage', () => {
  it('shows what was used, as a plot and as a table with the same numbers', async () => {
    const owner = await anOwner()
    const client = await aClient({ accountId: owner.accountId })
    await aFinishedVideo(client)
    const { text, status } = await owner.get(path)
    expect(status).toBe(200)
    const today = new Date().toISOString().slice(0, 10)
    expect(text).toContain(`<title>${today}: ready 1, failed 0, canceled 0</title>`)
    expect(text.match(/<g class="day">/g)).toHaveLength(90)
    expect(text).toMatch(new RegExp(`<th role="rowheader" scope="row">${today}</th>`))
    expect(text).toContain('26 B')
    const [, results = ''] = />Results<\/th>(.*?)<\/tr>/.exec(text) ?? []
    expect(results.replaceAll(/<[^>]*>/g, ' ')).toMatch(/^\s+26 B\s+less than 0\.000001\s+$/)
    expect(text).toContain('<span>2</span><span>1</span><span>0</span>')
    const [, days = ''] = /<div class="scale"[^>]*>(.*?)<\/div>/.exec(text) ?? []
    const named = [...days.matchAll(/<span>(.*?)<\/span>/g)].map(([, day]) => day)
    const short = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
    expect(named).toHaveLength(5)
    expect(named.at(-1)).toBe(new Date().toLocaleDateString('en-GB', short))
  })

  it('shows how full the windows of the keys in use are', async () => {
    const owner = await anOwner()
    const client = await aClient({ accountId: owner.accountId })
    for (let i = 0; i < 3; i++) await client.get('/v1/videos')
    const { text } = await owner.get(path)
    expect(text).toContain('3 of 100,000')
    expect(text).not.toContain('No key was used')
  })

  it('shows the days that were asked for, and says so of days without a video', async () => {
    const owner = await anOwner()
    const { text } = await owner.get(`${path}?from=2026-01-01&to=2026-01-07`)
    expect(text.match(/<g class="day">/g)).toHaveLength(21)
    expect(text).toContain('No video ended on these days')
    expect((await owner.get(`${path}?from=&to=`)).status).toBe(200)
  })

  it('keeps days that were entered beside what is wrong with them, and lets both be changed at once', async () => {
    const owner = await anOwner()
    const { text, status } = await owner.get(`${path}?from=2026-01-07&to=2026-01-01`)
    expect(status).toBe(400)
    expect(text).toContain('From: Must not be after 2026-01-01, the last day')
    expect(text).toContain('name="from" value="2026-01-07"/>')
    expect(text).toContain('name="to" value="2026-01-01"/>')
    expect((await owner.get(path)).text).not.toMatch(/type="date"[^>]*(min|max)=/)
  })

  it('shows nothing of another account', async () => {
    const client = await aClient()
    await aFinishedVideo(client)
    const owner = await anOwner()
    const { text } = await owner.get(path)
    expect(text).toContain('No video ended on these days')
    expect(text).toContain('No key was used')
  })
})

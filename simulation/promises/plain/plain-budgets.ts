import { formOf } from '../../actors/file-form.ts'
import type { Plainly } from './plain-parts.ts'

const fileUrl = 'https://sources.example.com/plain.mp4'
/** An isolate learns of a new budget within half a minute. */
const budgetKnownMs = 31_000
/** While the sweep has no work, it comes every two hours. */
const sweptWithinMs = 125 * 60_000
/** Of less, a share says little. */
const leastUsed = 0.001

type Change = (budget: number | null) => Promise<void>

/** An account that has used up its budget gets no new videos until the budget is raised; its use is the sum of its days. */
export async function judgeBudgets(parts: Plainly): Promise<void> {
  const { own, other, account, operator, world } = parts
  const { accountId } = account
  const change: Change = async (budget) => {
    await operator.command({ command: 'accounts.change', accountId, budget })
    await own.pause(budgetKnownMs)
  }
  await change(0)
  await own.expect(402, ['POST', '/v1/videos', { fileUrl }])
  await own.expect(402, ['POST', '/v1/plans', { fileUrl }])
  await own.expect(402, ['POST', '/v1/batches', { items: [{ fileUrl }] }])
  const form = formOf({ videoName: 'beyond a budget' }, 'a film beyond a budget')
  await own.expect(402, ['POST', '/v1/videos/upload', form])
  await other.sendAndCancel()
  const month = new Date(world.loop.wall).toISOString().slice(0, 7)
  const { total, now } = await own.expect(200, ['GET', `/v1/usage?from=${month}-01`])
  const { price } = total as { price: number }
  const { used, resetAt } = (now as { budget: { used: number; resetAt: string } }).budget
  const today = new Date(world.loop.wall)
  const next = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1))
  own.same('when a budget begins again', resetAt, next.toISOString())
  // The same days are added up in another order.
  const isSum = Math.abs(used - price) <= 1e-9 * price
  own.same(`whether ${used} of a budget was used, as its days say: ${price}`, isSum, true)
  await judgeDays(parts)
  await change(used * 0.999)
  await own.expect(402, ['POST', '/v1/videos', { fileUrl }])
  await change(used * 1.001 + 0.001)
  await own.sendAndCancel()
  if (used > leastUsed) await judgeTight(parts, { used, change })
  if (used > 0 && !parts.isSweepless) await judgeWarnings(parts, { used, change })
  await change(null)
}

/** A budget is called tight when most of it is used. */
async function judgeTight(
  { own }: Plainly,
  { used, change }: { used: number; change: Change },
): Promise<void> {
  for (const [share, isTight] of [
    [0.81, true],
    [0.79, false],
  ] as const) {
    await change(used / share)
    const { now } = await own.expect(200, ['GET', '/v1/usage'])
    const { budget } = now as { budget: { isTight: boolean } }
    own.same(`whether a budget is tight of which ${share} is used`, budget.isTight, isTight)
  }
}

/** Owners are warned once when most of the budget is used, and once when all of it is. A changed budget starts again. */
async function judgeWarnings(
  { own, account, operator, database, mails }: Plainly,
  { used, change }: { used: number; change: Change },
): Promise<void> {
  const { accountId, name } = account
  await operator.command({ command: 'people.link', accountId })
  const address = `${name.toLowerCase()}@example.com`
  // As if the owner's address had been known for long.
  database.read(
    `UPDATE people SET email = ? WHERE id = (SELECT person_id FROM members WHERE account_id = ? AND role = 'owner')`,
    address,
    accountId,
  )
  const heard = async (budget: number): Promise<string[]> => {
    const before = mails.to(address).length
    await change(budget)
    await own.pause(2 * sweptWithinMs)
    return mails
      .to(address)
      .slice(before)
      .map(({ subject }) => subject)
  }
  own.same('what is told of much of a budget', await heard(used / 0.79), [])
  const most = await heard(used / 0.9)
  own.same(
    'how often it is told that most is used',
    [most.length, /80/.test(most[0] ?? '')],
    [1, true],
  )
  const all = await heard(used * 0.9)
  own.same(
    'how often it is told that all is used',
    [all.length, /used up/.test(all[0] ?? '')],
    [1, true],
  )
  own.same('how often it is told of a budget that was raised', (await heard(used / 0.9)).length, 1)
}

/** The use of a day is that of this day alone. */
async function judgeDays({ own, account, database }: Plainly): Promise<void> {
  const rows = database.read<{ day: string; succeeded: number; canceled: number; kept: number }>(
    `SELECT day, succeeded, canceled, sum(kept_bytes) OVER (ORDER BY day) AS kept
     FROM usage_days WHERE account_id = ? ORDER BY day`,
    account.accountId,
  )
  const [first, last] = [rows[0]?.day, rows.at(-1)?.day]
  if (first === undefined || last === undefined) return
  const all = await own.expect(200, ['GET', `/v1/usage?from=${first}&to=${last}`])
  const keptOn = new Map(
    (all['days'] as { date: string; keptBytes: number }[]).map((one) => [one.date, one.keptBytes]),
  )
  for (const { day, succeeded, canceled, kept } of rows) {
    const { total } = await own.expect(200, ['GET', `/v1/usage?from=${day}&to=${day}`])
    const told = total as { succeeded: number; canceled: number }
    own.same(`the use of ${day}`, [told.succeeded, told.canceled], [succeeded, canceled])
    own.same(`what was kept on ${day}`, keptOn.get(day), kept)
  }
}

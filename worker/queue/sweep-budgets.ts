import { monthOf, sayAmount } from '../service/limits/budget.ts'
import { log } from '../service/log.ts'
import { sendMail } from '../service/send-mail.ts'
import { readSettings, type Env } from '../settings.ts'
import { ownersOf, takeBudgetNews, type BudgetNews } from '../store/budgets.ts'
import { tightPercent } from '../contract/usage.ts'

/** Tells the owners of an account, once in a month each, that its budget is nearly used up, and that it is. */
export async function sweepBudgets(env: Env, now: number): Promise<void> {
  const { prices } = readSettings(env)
  // Who has used everything is not told first that it will be so.
  for (const percent of [100, tightPercent]) {
    const news = await takeBudgetNews(env.DB, { month: monthOf(now), percent, prices })
    for (const one of news) await tell(env, one, percent)
  }
}

async function tell(env: Env, { accountId, budget, name }: BudgetNews, percent: number) {
  log('warn', 'an account nears the end of its budget', { accountId, percent, budget })
  const isOver = percent === 100
  const limit = sayAmount(budget)
  const subject = isOver
    ? 'Your budget at Spool is used up'
    : `${percent} % of your budget at Spool are used`
  const then = isOver
    ? 'New videos are refused until the next month begins. Those that were accepted are still made.'
    : 'When all of it is used, new videos are refused until the next month begins.'
  const text = `The account ${name ?? accountId} has used ${isOver ? 'all' : `${percent} %`} of its budget of ${limit} for this month. ${then}\n\n${readSettings(env).baseUrl}/app/usage shows what was used.\n`
  for (const to of await ownersOf(env.DB, accountId)) await sendMail(env, { to, subject, text })
}

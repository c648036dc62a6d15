import type { Mails } from '../actors/mails.ts'
import type { World } from '../engine/world.ts'
import type { MoneyRules } from './money-rules.ts'

type Judged = { world: World; mails: Mails; news: Pick<MoneyRules, 'levels'> }
type People = { owner: string; others: readonly string[] }

/** After the storms, the owner of an account has at most one mail for each warning about its budget, and no other person has one. */
export function judgeMails({ world, mails, news }: Judged, { owner, others }: People): void {
  for (const one of others) {
    const [mail] = mails.to(one)
    if (mail) world.break(`${one}, who is not an owner, was sent: ${mail.subject}`)
  }
  for (const isOver of [false, true]) {
    const sent = mails.to(owner).filter(({ subject }) => subject.includes('used up') === isOver)
    const told = news.levels.filter((level) => level.endsWith(' 100') === isOver)
    if (sent.length > told.length)
      world.break(`${owner} was sent ${sent.length} mails about ${told.length} news of a budget`)
  }
}

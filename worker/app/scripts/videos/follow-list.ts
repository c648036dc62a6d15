import { announce } from '../page/call-api.ts'
import { pollWhileVisible } from '../page/poll-while-visible.ts'
import { refresh } from '../page/refresh.ts'
import { endWords } from '../../videos/phase-words.ts'

/** Keeps the list up to date, and announces videos that have ended. */
export function followList(): void {
  pollWhileVisible({ ask, nextMs })
}

const nextMs = () => {
  const ms = document.querySelector<HTMLElement>('[data-poll-ms]')?.dataset['pollMs']
  return ms === undefined ? undefined : Number(ms)
}

async function ask(): Promise<void> {
  const before = statuses()
  await refresh()
  const news = [...statuses()].flatMap(([id, { status, name }]) => {
    const former = before.get(id)
    const words = endWords[status]
    return former && former.status !== status && words !== undefined ? [`${name} ${words}.`] : []
  })
  if (news.length > 0) announce(news.join(' '))
}

function statuses(): Map<string, { status: string; name: string }> {
  const rows = [...document.querySelectorAll<HTMLElement>('.videos [data-row]')]
  return new Map(
    rows.map((row) => [
      row.dataset['key'] ?? '',
      {
        status: row.dataset['status'] ?? '',
        name: row.querySelector('.name')?.textContent ?? '',
      },
    ]),
  )
}

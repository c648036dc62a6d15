import { formatAge } from '../../design/format-age.ts'

const everyMs = 15_000

/** Keeps "2 min ago" true while the page is open. */
export function keepAges(): void {
  setInterval(() => {
    for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-age]')) {
      const text = formatAge(Date.parse(time.dateTime), Date.now())
      if (time.textContent !== text) time.textContent = text
    }
  }, everyMs)
}

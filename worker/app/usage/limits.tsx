import type { RateWindowState, UsageRecord } from '../../contract/usage.ts'
import { sayAmount } from '../../service/limits/budget.ts'
import { formatSeconds, formatBytes, formatNumber } from '../design/formats.ts'
import { ProgressBar } from '../design/status-badge.tsx'
import { upperFirst } from '../../contract/upper-first.ts'

/** `windows`: undefined if the gate of the key did not answer. */
export type KeyWindows = {
  keyId: string
  name: string | null
  hint: string
  windows: RateWindowState[] | undefined
}

export type UsageProps = { usage: UsageRecord; keys: readonly KeyWindows[]; now: number }

/** How full every limit is: a bar for the plan, and one for each window of the keys that are in use. */
export function Limits({ usage, keys, now }: UsageProps) {
  return (
    <ul class="windows">
      <AtOnce usage={usage} />
      <Storage usage={usage} />
      <Budget usage={usage} />
      {keys.map((key) => (
        <KeyBars of={key} now={now} />
      ))}
      {keys.length === 0 && <li class="soft">No key was used in the last hour.</li>}
    </ul>
  )
}

function AtOnce({ usage: { now } }: { usage: UsageRecord }) {
  const { running, queued, mostRunning } = now
  const percent = mostRunning === null ? 0 : Math.min(100, (running / mostRunning) * 100)
  return (
    <li>
      <p>
        <strong>Videos at once</strong>
        <span>
          {mostRunning === null ? `${running}, no limit` : `${running} of ${mostRunning}`}
        </span>
      </p>
      <ProgressBar percent={percent} label="Videos being processed, of those that may be at once" />
      <p class="soft">{queued === 0 ? 'None waiting' : `${queued} waiting`}</p>
    </li>
  )
}

function Storage({ usage: { now } }: { usage: UsageRecord }) {
  const { usedBytes, limitBytes } = now.storage
  const percent = limitBytes === null ? 0 : Math.min(100, (usedBytes / limitBytes) * 100)
  const used = formatBytes(usedBytes)
  return (
    <li class={percent >= 80 ? 'tight' : undefined}>
      <p>
        <strong>Storage</strong>
        <span>
          {limitBytes === null ? `${used}, no limit` : `${used} of ${formatBytes(limitBytes)}`}
        </span>
      </p>
      <ProgressBar percent={percent} label="Storage in use, of what the account may keep" />
      <p class="soft">Results, uploaded sources and uploads</p>
    </li>
  )
}

function Budget({ usage: { now } }: { usage: UsageRecord }) {
  if (!now.budget) return null
  const { used, limit, isTight, resetAt } = now.budget
  return (
    <li class={isTight ? 'tight' : undefined}>
      <p>
        <strong>Budget of this month</strong>
        <span>
          {sayAmount(used)} of {sayAmount(limit)}
        </span>
      </p>
      <ProgressBar
        percent={limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}
        label="What this month has cost, of what it may"
      />
      <p class="soft">
        {used < limit ? 'Begins again' : 'New videos are refused until it begins again'} on{' '}
        {resetAt.slice(0, 10)}
      </p>
    </li>
  )
}

function KeyBars({ of: { name, hint, windows }, now }: { of: KeyWindows; now: number }) {
  const title = name ?? hint
  if (!windows) return <li class="soft">{title}: its requests could not be counted just now.</li>
  const shown = windows.filter((window) => window.lane === 'requests' || usedOf(window) > 0)
  return (
    <>
      {shown.map((window) => (
        <WindowBar title={title} window={window} now={now} />
      ))}
    </>
  )
}

const usedOf = ({ limit, remaining }: RateWindowState) => limit - remaining
const periods: Record<number, string> = { 60: 'a minute', 3600: 'an hour', 86_400: 'a day' }

function WindowBar({
  title,
  window,
  now,
}: {
  title: string
  window: RateWindowState
  now: number
}) {
  const { lane, limit, windowSeconds, resetAt } = window
  const used = usedOf(window)
  const percent = (used / limit) * 100
  const period = periods[windowSeconds] ?? `in ${windowSeconds} s`
  const left = resetAt === null ? undefined : Math.max(0, (Date.parse(resetAt) - now) / 1000)
  return (
    <li class={percent >= 80 ? 'tight' : undefined}>
      <p>
        <strong>{`${upperFirst(lane)} ${period}`}</strong>
        <span>
          {formatNumber(used)} of {formatNumber(limit)}
        </span>
      </p>
      <ProgressBar percent={percent} label={`${title}: ${lane} ${period}`} />
      <p class="soft">
        <span>
          with the key <bdi>{title}</bdi>
        </span>
        {left !== undefined && <span class="again">again in {formatSeconds(left)}</span>}
      </p>
    </li>
  )
}

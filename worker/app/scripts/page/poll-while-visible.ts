const longestMs = 30_000

type Poll = {
  /** Fetches news; rejects if the service did not answer. */
  ask: () => Promise<void>
  /** How long to wait before the next request; undefined ends the polling. */
  nextMs: () => number | undefined
}

/**
 * Polls while the page is visible and the machine is online, and at once when either becomes true. A service that does not
 * answer is asked less and less often.
 */
export function pollWhileVisible({ ask, nextMs }: Poll): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isAsking = false
  const isPaused = () => document.hidden || !navigator.onLine
  const plan = () => {
    clearTimeout(timer)
    const usual = nextMs()
    if (usual === undefined || isPaused()) return
    timer = setTimeout(() => void turn(), Math.min(usual * 2 ** failures, longestMs))
  }
  const turn = async () => {
    if (isAsking || isPaused()) return
    isAsking = true
    failures = await ask().then(
      () => 0,
      () => Math.min(failures + 1, 5),
    )
    isAsking = false
    noteAnswer(failures === 0)
    plan()
  }
  const resume = () => {
    if (nextMs() !== undefined) void turn()
  }
  document.addEventListener('visibilitychange', resume)
  addEventListener('online', resume)
  plan()
}

const offline =
  'You are offline. What is shown may be old; the page goes on by itself once you are back.'
const unreachable = 'The service does not answer. What is shown may be old; the page keeps trying.'

/** Says at the foot of the page when its content may be out of date. */
export function watchConnection(): void {
  addEventListener('offline', () => say(offline))
  addEventListener('online', () => say(''))
  if (!navigator.onLine) say(offline)
}

/** Notes whether the service answered; called by everything that polls. */
export function noteAnswer(answered: boolean): void {
  if (answered) say('')
  else say(navigator.onLine ? unreachable : offline)
}

function say(text: string): void {
  const place = document.querySelector<HTMLElement>('#connection')
  if (!place || place.textContent === text) return
  place.textContent = text
  place.hidden = text === ''
}

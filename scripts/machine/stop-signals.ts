/** npm and the launcher pass on signals that the terminal has already sent to everybody; these count as one. */
const sameWishMs = 500

/** Aborted by the first signal, for an orderly shutdown; a second signal ends the process at once. */
export function listenForStop(
  signals: NodeJS.EventEmitter,
  endAtOnce: () => void,
  now: () => number = () => performance.now(),
): AbortSignal {
  const first = new AbortController()
  let firstAt: number | undefined
  const wish = () => {
    firstAt ??= now()
    if (!first.signal.aborted) first.abort()
    else if (now() - firstAt > sameWishMs) endAtOnce()
  }
  // The launcher's channel closes when the launcher is killed; nobody else would stop us then.
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) signals.on(event, wish)
  return first.signal
}

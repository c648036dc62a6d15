/** npm and the launcher pass on what the terminal has sent to everybody already: that is one wish, not several. */
const sameWishMs = 500

/** Aborted by the first signal, for an orderly end; a second one ends at once. */
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
  // The launcher's channel closes when the launcher is killed: nobody would stop us any more.
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) signals.on(event, wish)
  return first.signal
}

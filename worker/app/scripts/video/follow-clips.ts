/** Plays just the stretch of a suggested clip, and one film of the page at a time. */
export function followClips(): void {
  // These events do not bubble, so they are caught on their way down.
  document.addEventListener('play', ({ target }) => begin(target), true)
  document.addEventListener('timeupdate', ({ target }) => end(target), true)
}

function begin(target: EventTarget | null): void {
  if (!(target instanceof HTMLVideoElement)) return
  for (const other of document.querySelectorAll('video')) if (other !== target) other.pause()
  const [from, to] = stretchOf(target) ?? []
  if (from === undefined || to === undefined) return
  const isInside = target.currentTime >= from - 0.1 && target.currentTime < to - 0.1
  if (!isInside) target.currentTime = from
}

function end(target: EventTarget | null): void {
  if (!(target instanceof HTMLVideoElement)) return
  const [, to] = stretchOf(target) ?? []
  if (to !== undefined && target.currentTime >= to) target.pause()
}

function stretchOf({ dataset }: HTMLVideoElement): number[] | undefined {
  return dataset['clip']?.split(',').map(Number)
}

/** The player, or null; it may be added while the page is open. */
export function player(): HTMLVideoElement | null {
  return document.querySelector<HTMLVideoElement>('[data-player]')
}

/** The second of the transcript at which the film begins; not 0 if the film is an excerpt. */
const beginOf = ({ dataset }: HTMLVideoElement): number => Number(dataset['from'] ?? 0)

/** Plays from a second of the transcript, if the film contains it. */
export function playFrom(seconds: number): void {
  const video = player()
  if (!video) return
  const at = seconds - beginOf(video)
  if (at < 0 || at > video.duration) return
  video.currentTime = at
  // A browser that blocks sound shows the picture at that moment.
  video.play().catch(() => undefined)
}

/** Calls back with the second of the transcript, as often as the player reports its time. */
export function onTime(hear: (seconds: number) => void): void {
  for (const event of ['timeupdate', 'seeked'] as const) {
    // These events do not bubble, so they are caught in the capture phase.
    document.addEventListener(
      event,
      ({ target }) => {
        if (target === player() && target instanceof HTMLVideoElement)
          hear(target.currentTime + beginOf(target))
      },
      true,
    )
  }
}

/**
 * While the film plays and its place is out of sight, it is shown in a corner, so that words far below are read with their
 * picture. On a phone, which has no corner to spare, it lies across the bottom, and the words end above it.
 */
export function keepInSight(): void {
  let isSeen = true
  const observer = new IntersectionObserver((entries) => {
    isSeen = entries.at(-1)?.isIntersecting ?? true
    place()
  })
  const place = (): void => {
    const video = player()
    const [stage, room] = [video?.closest('.stage'), video?.closest<HTMLElement>('[data-region]')]
    if (!video || !stage || !room) return
    const isApart = !video.paused && !isSeen
    // The content below must not move up into the player's place.
    if (isApart !== stage.classList.contains('corner')) {
      room.style.minHeight = isApart ? `${room.offsetHeight}px` : ''
    }
    stage.classList.toggle('corner', isApart)
  }
  const hear = ({ target, type }: Event): void => {
    if (target !== player() || !(target instanceof HTMLVideoElement)) return
    const room = target.closest('[data-region]')
    if (type === 'play' && room) observer.observe(room)
    place()
  }
  for (const event of ['play', 'pause']) document.addEventListener(event, hear, true)
}

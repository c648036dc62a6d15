/** The player, once there is one. It may come while the page is open. */
export function player(): HTMLVideoElement | null {
  return document.querySelector<HTMLVideoElement>('[data-player]')
}

/** The second of what is written down with which the film begins, if it is a part of it. */
const beginOf = ({ dataset }: HTMLVideoElement): number => Number(dataset['from'] ?? 0)

/** Plays from a second of what is written down, if the film has it. */
export function playFrom(seconds: number): void {
  const video = player()
  if (!video) return
  const at = seconds - beginOf(video)
  if (at < 0 || at > video.duration) return
  video.currentTime = at
  // A browser that does not let a page start sound shows the picture of that moment.
  video.play().catch(() => undefined)
}

/** Calls back with the second of what is written down that is shown, as often as the player says. */
export function onTime(hear: (seconds: number) => void): void {
  for (const event of ['timeupdate', 'seeked'] as const) {
    // These events do not bubble, so they are caught on their way down.
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
 * While it plays and its place is out of sight, it is shown in a corner, so that words far below are read with their picture. A
 * phone has no corner to spare: there it lies across the bottom, and the words end above it.
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
    // What is below must not move up into its place.
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

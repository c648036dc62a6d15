/** The player, once there is one. It may come while the page is open. */
export function player(): HTMLVideoElement | null {
  return document.querySelector<HTMLVideoElement>('[data-player]')
}

export function playFrom(seconds: number): void {
  const video = player()
  if (!video) return
  video.currentTime = seconds
  // A browser that does not let a page start sound shows the picture of that moment.
  video.play().catch(() => undefined)
}

/** Calls back with the second that is shown, as often as the player says. */
export function onTime(hear: (seconds: number) => void): void {
  for (const event of ['timeupdate', 'seeked'] as const) {
    // These events do not bubble, so they are caught on their way down.
    document.addEventListener(
      event,
      ({ target }) => {
        if (target === player() && target instanceof HTMLVideoElement) hear(target.currentTime)
      },
      true,
    )
  }
}

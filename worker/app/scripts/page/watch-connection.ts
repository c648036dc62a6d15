const offline =
  'You are offline. What is shown may be old; the page goes on by itself once you are back.'
const unreachable = 'The service does not answer. What is shown may be old; the page keeps trying.'

/** Says at the foot of the page when what it shows may be old. */
export function watchConnection(): void {
  addEventListener('offline', () => say(offline))
  addEventListener('online', () => say(''))
  if (!navigator.onLine) say(offline)
}

/** Told by whatever asks the service for news. */
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

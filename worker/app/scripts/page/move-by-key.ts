/** Lets the arrow keys, Home and End choose another tab of a list. */
export function moveByKey(tabs: readonly HTMLElement[], event: KeyboardEvent): void {
  const at = tabs.findIndex((tab) => tab === document.activeElement)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
  if (at === -1 || to === undefined) return
  const tab = tabs[(to + tabs.length) % tabs.length]
  event.preventDefault()
  tab?.focus()
  tab?.click()
}

const forgets: (() => void)[] = []

/**
 * What an isolate remembers from one request to the next. It can be gone at any moment, and other isolates never see it:
 * it may save work, and nothing may depend on it.
 */
export function isolateMemory<Value>(empty: () => Value): { current: Value } {
  const memory = { current: empty() }
  forgets.push(() => {
    memory.current = empty()
  })
  return memory
}

/** As if the isolate had just started. */
export function forgetAll(): void {
  for (const forget of forgets) forget()
}

/** Takes what was just done out of the address, so that a reload does not say it again. */
export function forgetDone(): void {
  const here = new URL(location.href)
  if (!here.searchParams.has('done')) return
  here.searchParams.delete('done')
  history.replaceState(null, '', here)
}

import { refreshOnce } from '../page/refresh.ts'

const pauseMs = 250

/** Searches when the reader pauses typing, with the same result as sending the form but without leaving the page. */
export function searchWhileTyping(): void {
  const field = document.querySelector<HTMLInputElement>('[data-search]')
  const form = field?.form
  if (!form) return
  let timer: ReturnType<typeof setTimeout> | undefined
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void search(form), pauseMs)
  })
}

async function search(form: HTMLFormElement): Promise<void> {
  const address = new URL(form.action)
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value !== '') address.searchParams.set(name, value)
  }
  history.replaceState(null, '', address)
  await refreshOnce()
}
